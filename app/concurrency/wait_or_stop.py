"""Pauses of what runs beside the requests: as long as they are, a stop ends them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress


async def wait_or_stop(stop: asyncio.Event, seconds: float) -> None:
    """Wait for so long, or until `stop` is set."""
    with suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)


async def repeat(
    work: Callable[[], Awaitable[object]], seconds: float, stop: asyncio.Event
) -> None:
    """Do the work, wait for so long, and do it again, until `stop` is set."""
    while not stop.is_set():
        await work()
        await wait_or_stop(stop, seconds)
