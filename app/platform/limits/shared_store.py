"""What the limiter needs of a store that all instances share."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from app.platform.limits.rate_limits import Bucket, Count


class NotCounted(Exception):
    """The store did not count a request; the message is the name of the reason."""


class SharedCount(NamedTuple):
    """A count of all processes, and how many of them are alive."""

    total: Count
    processes: int


class SharedStore(Protocol):
    """Fixed windows by client, shared by all instances."""

    async def hit(self, bucket: Bucket, client: str, by: int, seconds: float) -> SharedCount:
        """Count requests, or with `by=0` only return the count; raises NotCounted.

        A window that begins with them ends after so many seconds.
        """

    async def register(self) -> None:
        """Tell that this process is alive; raises NotCounted."""

    async def close(self, *, is_available: bool) -> None:
        """Tell that this process ends, if Redis is available, and close the connections."""
