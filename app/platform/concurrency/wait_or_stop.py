"""Waits of background tasks, which end early when the service stops."""

from __future__ import annotations

import asyncio
from contextlib import suppress


async def wait_or_stop(stop: asyncio.Event, seconds: float) -> None:
    """Wait for `seconds`, or until `stop` is set."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):  # without a task, as wait_for makes one
            await stop.wait()


async def event_or_stop(stop: asyncio.Event, event: asyncio.Event) -> None:
    """Wait until `event` is set, or `stop`."""
    waits = [asyncio.ensure_future(each.wait()) for each in (stop, event)]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
