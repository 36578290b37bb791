"""The pace of work in a thread: a number of calls at once, and then few a second.

Python runs one thread at a time, so a busy thread makes every request slower that the event loop
serves meanwhile.
"""

from __future__ import annotations

import time
from collections.abc import Callable


class Pace:
    """Allows `burst` calls without a rest, and then `per_second` (a token bucket)."""

    def __init__(
        self,
        burst: int,
        per_second: float,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._burst_seconds = burst / per_second
        self._seconds_per_call = 1 / per_second
        self._now, self._sleep = now, sleep
        self._allowed_at = now() - self._burst_seconds

    def rest(self) -> None:
        """Wait until the next call is allowed."""
        now = self._now()
        earliest = now - self._burst_seconds
        self._allowed_at = max(self._allowed_at, earliest) + self._seconds_per_call
        if self._allowed_at > now:
            self._sleep(self._allowed_at - now)
