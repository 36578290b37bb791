"""Waits of background tasks, which end early when the service stops."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress


async def wait_or_stop(stop: asyncio.Event, seconds: float) -> None:
    """Wait for `seconds`, or until `stop` is set."""
    with suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)


async def repeat(
    work: Callable[[], Awaitable[object]], seconds: float, stop: asyncio.Event
) -> None:
    """Call `work` repeatedly, with a wait of `seconds` after each call, until `stop` is set."""
    while not stop.is_set():
        await work()
        await wait_or_stop(stop, seconds)
