"""Slots: limit the concurrent attempts of one process for each host."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from functools import partial

AT_ONCE = 8
"""Maximum number of concurrent attempts per host and process."""
WAIT_SECONDS = 5.0
"""How long a push waits for a slot before the background task takes over."""


class Slots:
    """A fixed number of slots per host; waiters are served first come, first served."""

    def __init__(self, at_once: int = AT_ONCE, wait_seconds: float = WAIT_SECONDS) -> None:
        self._wait_seconds = wait_seconds
        self._free = defaultdict[str, asyncio.Semaphore](partial(asyncio.Semaphore, at_once))

    async def take(self, host: str) -> None:
        """Wait for a free slot and take it."""
        await self._free[host].acquire()

    async def take_soon(self, host: str) -> bool:
        """Take a slot; return False if none becomes free within the wait time."""
        try:
            async with asyncio.timeout(self._wait_seconds):
                await self.take(host)
        except TimeoutError:
            return False
        return True

    def give_back(self, host: str) -> None:
        """Release a slot."""
        self._free[host].release()
