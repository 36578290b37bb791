"""Rates: how often something may happen on one connection."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic


class Rate:
    """So many times in each second, which begins with the first of them.

    >>> rate = Rate(2, clock=iter([0.0, 0.5, 0.9, 1.0]).__next__)
    >>> [rate.is_exceeded() for _ in range(4)]
    [False, False, True, False]
    """

    def __init__(self, limit: int, clock: Callable[[], float] = monotonic) -> None:
        self._limit = limit
        self._clock = clock
        self._began = float("-inf")
        self._count = 0

    def is_exceeded(self) -> bool:
        """Count once more; whether that is too often."""
        now = self._clock()
        if now - self._began >= 1.0:
            self._began, self._count = now, 0
        self._count += 1
        return self._count > self._limit
