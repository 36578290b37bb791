"""Waits of background tasks, which end early when the service stops."""

from __future__ import annotations

import asyncio
from contextlib import suppress


async def wait_or_stop(stop: asyncio.Event, seconds: float) -> None:
    """Wait for `seconds`, or until `stop` is set."""
    with suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)
