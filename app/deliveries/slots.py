"""Slots: how many attempts one process has under way at a time, counted for each host."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from functools import partial

AT_ONCE = 8
"""How many attempts one process has under way for one host."""
WAIT_SECONDS = 5.0
"""How long a push waits for a slot before it is left to the background."""


class Slots:
    """A number of slots for each host; who waits longest for one gets it first."""

    def __init__(self, at_once: int = AT_ONCE, wait_seconds: float = WAIT_SECONDS) -> None:
        self._wait_seconds = wait_seconds
        self._free = defaultdict[str, asyncio.Semaphore](partial(asyncio.Semaphore, at_once))

    async def take(self, host: str) -> None:
        """Take a slot as soon as one is free."""
        await self._free[host].acquire()

    async def take_soon(self, host: str) -> bool:
        """Take a slot; False where none becomes free in time."""
        try:
            async with asyncio.timeout(self._wait_seconds):
                await self.take(host)
        except TimeoutError:
            return False
        return True

    def give_back(self, host: str) -> None:
        """Let somebody else have it."""
        self._free[host].release()
