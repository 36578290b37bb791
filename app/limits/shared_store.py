"""What the limiter needs of a store that all instances share."""

from __future__ import annotations

from typing import Protocol

from app.limits.rate_limits import Bucket, Count


class NotCounted(Exception):
    """The store did not count a request in time; the message is the name of the reason."""


class SharedStore(Protocol):
    """Fixed windows by client, shared by all instances."""

    async def hit(self, bucket: Bucket, client: str, by: int = 1) -> Count:
        """Count a request, or with `by=0` only return the count; raises NotCounted."""

    async def close(self) -> None:
        """Close the connections."""
