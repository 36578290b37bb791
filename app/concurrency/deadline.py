"""Deadlines for answers of other servers, fair to the server when our own event loop is late."""

from __future__ import annotations

import asyncio
from typing import Any

_LATE_SECONDS = 0.01
_EXTENSIONS = 3


async def finishes_within(task: asyncio.Task[Any], seconds: float) -> bool:
    """Wait for a task; whether it is done within so many seconds. It is not cancelled.

    A timer that fires late shows that the event loop was busy. The answer may have arrived
    meanwhile without anybody reading it, so the deadline is extended, a few times at most.
    """
    loop = asyncio.get_running_loop()
    for _ in range(1 + _EXTENSIONS):
        due = loop.time() + seconds
        await asyncio.wait({task}, timeout=seconds)
        if task.done() or loop.time() < due + _LATE_SECONDS:
            break
    return task.done()
