"""Capacity: how much may wait to be done, in all and for one client."""

from __future__ import annotations

import asyncio
from collections import Counter

from knowledge.errors import MajlisError

REJECTION_SECONDS = 0.1
"""How long a refused request waits for its answer. A client that asks again at once, in a loop,
would otherwise keep the event loop busy with refusals."""


class Overloaded(MajlisError):
    """There is no room for more work of this kind."""

    def __init__(self) -> None:
        super().__init__(
            "The service has too much to do at the moment.",
            "Try again after the seconds in Retry-After.",
        )


class Capacity:
    """A number of places, of which one client may have half, so that the others find room."""

    def __init__(self, places: int) -> None:
        self.places = places
        self.places_of_client = max(1, places // 2)
        self.used = 0
        self.rejected = 0
        self._used_by_client: Counter[str] = Counter()

    async def take(self, client: str = "") -> None:
        """Take a place; raises Overloaded. Without a client only the whole number counts."""
        if self._is_full(client):
            self.rejected += 1
            await asyncio.sleep(REJECTION_SECONDS)
            raise Overloaded
        self.used += 1
        if client:
            self._used_by_client[client] += 1

    def free(self, client: str = "") -> None:
        """Give a place back."""
        self.used -= 1
        if client:
            self._used_by_client[client] -= 1
            if not self._used_by_client[client]:
                del self._used_by_client[client]

    def _is_full(self, client: str) -> bool:
        return self.used >= self.places or self._used_by_client[client] >= self.places_of_client
