"""A circuit breaker: stops calls to a store that does not answer, except for trial calls."""

from __future__ import annotations

from app.platform.clock import Ticks


class CircuitBreaker:
    """A breaker that opens at a failure and closes at the next success.

    While it is open, one call in `retry_seconds` is admitted as a trial.

    >>> now = 0.0
    >>> breaker = CircuitBreaker(lambda: now, retry_seconds=1.0)
    >>> breaker.admits(), breaker.fail(), breaker.admits()
    (True, True, False)
    >>> now = 1.0
    >>> breaker.admits(), breaker.admits(), breaker.succeed(), breaker.admits()
    (True, False, True, True)
    """

    def __init__(self, ticks: Ticks, retry_seconds: float) -> None:
        self._ticks = ticks
        self._retry_seconds = retry_seconds
        self._next_trial: float | None = None

    @property
    def is_open(self) -> bool:
        """Whether the last call failed."""
        return self._next_trial is not None

    @property
    def is_ready(self) -> bool:
        """Whether the next call would be admitted; does not change the state."""
        return self._next_trial is None or self._ticks() >= self._next_trial

    def admits(self) -> bool:
        """Return whether a call may be made now; while open, True makes it the trial call."""
        if not self.is_ready:
            return False
        if self.is_open:
            self._wait_for_next_trial()
        return True

    def succeed(self) -> bool:
        """Record a success; return whether the breaker was open before."""
        was_open = self.is_open
        self._next_trial = None
        return was_open

    def fail(self) -> bool:
        """Record a failure; return whether the breaker was closed before."""
        was_closed = not self.is_open
        self._wait_for_next_trial()
        return was_closed

    def _wait_for_next_trial(self) -> None:
        self._next_trial = self._ticks() + self._retry_seconds
