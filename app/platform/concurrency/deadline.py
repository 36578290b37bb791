"""Deadlines for calls to other servers, extended when our own event loop was blocked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, TypeVar

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
