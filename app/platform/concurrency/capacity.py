"""Capacity: limits how many requests are admitted, in all and for one client."""

from __future__ import annotations

import asyncio
from collections import Counter

from knowledge.resources.errors import MajlisError

REJECTION_SECONDS = 0.1
"""Delay of the response to a rejected request. Without it, a client that retries in a loop would
keep the event loop busy with rejections."""


class Overloaded(MajlisError):
    """There is no capacity left for more requests of this kind."""

    status = 503

    def __init__(self) -> None:
        super().__init__(
            "The service is overloaded.",
            "Try again after the number of seconds in Retry-After.",
        )


class Capacity:
    """A number of slots, of which one client may use half, so that others find free ones."""

    def __init__(self, slots: int) -> None:
        self.slots = slots
        self.slots_per_client = max(1, slots // 2)
        self.used = 0
        self.rejected = 0
        self._used_by_client: Counter[str] = Counter()

    async def acquire(self, client: str = "") -> None:
        """Take a slot; raises Overloaded if none is free.

        Without a client only the total counts.
        """
        if self._is_full(client):
            self.rejected += 1
            await asyncio.sleep(REJECTION_SECONDS)
            raise Overloaded
        self.used += 1
        if client:
            self._used_by_client[client] += 1

    def release(self, client: str = "") -> None:
        """Give a slot back."""
        self.used -= 1
        if client:
            self._used_by_client[client] -= 1
            if not self._used_by_client[client]:
                del self._used_by_client[client]

    def _is_full(self, client: str) -> bool:
        return self.used >= self.slots or self._used_by_client[client] >= self.slots_per_client
