"""Guards of calls to other services: deadlines, cancellation, and circuit breakers."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, TypeVar

from app.platform.clock import Ticks

Result = TypeVar("Result")

_LATE_SECONDS = 0.01
_EXTENSIONS = 3


async def finishes_within(task: asyncio.Task[Any], seconds: float) -> bool:
    """Wait up to `seconds` for a task and return whether it is done. It is not cancelled.

    A timer that fires late shows that the event loop was blocked. The response may have arrived
    meanwhile without being read, so the deadline is then extended, up to three times.
    """
    loop = asyncio.get_running_loop()
    for _ in range(1 + _EXTENSIONS):
        due = loop.time() + seconds
        await asyncio.wait({task}, timeout=seconds)
        if task.done() or loop.time() < due + _LATE_SECONDS:
            break
    return task.done()


async def result_within(
    coroutine: Coroutine[Any, Any, Result],
    seconds: float,
    discard: Callable[[Result], None] = lambda _: None,
) -> Result:
    """Return the result of a coroutine; raises TimeoutError, and cancels it, after `seconds`.

    A result that comes too late, or just as the caller is cancelled, is passed to `discard`.
    """
    task = asyncio.create_task(coroutine)
    is_in_time = False
    try:
        is_in_time = await finishes_within(task, seconds)
    finally:
        if not is_in_time:
            task.cancel()
            task.add_done_callback(partial(_discard_result, discard))
            await asyncio.wait({task})
    if not is_in_time:
        raise TimeoutError(f"no answer within {seconds} seconds")
    return task.result()


def _discard_result(discard: Callable[[Result], None], task: asyncio.Task[Result]) -> None:
    if not task.cancelled() and task.exception() is None:
        discard(task.result())


def is_cancelled() -> bool:
    """Return whether the running task was asked to end, also if its work went on after that."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


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
