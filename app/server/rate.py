"""Rate limits on a single connection."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic


class Rate:
    """A limit of events per second; each second starts with its first event.

    >>> rate = Rate(2, clock=iter([0.0, 0.5, 0.9, 1.0]).__next__)
    >>> [rate.is_exceeded() for _ in range(4)]
    [False, False, True, False]
    """

    def __init__(self, limit: int, clock: Callable[[], float] = monotonic) -> None:
        self._limit = limit
        self._clock = clock
        self._started_at = float("-inf")
        self._count = 0

    def is_exceeded(self) -> bool:
        """Count an event and return whether it exceeds the limit."""
        now = self._clock()
        if now - self._started_at >= 1.0:
            self._started_at, self._count = now, 0
        self._count += 1
        return self._count > self._limit
