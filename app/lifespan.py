"""Start and stop: what lives as long as the application does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable

from app.edition import Editions
from app.watcher import watch


def lifespan(editions: Editions) -> Callable[[], AsyncGenerator[None, None]]:
    """Load the first edition, then watch the folder until the application stops."""

    async def run() -> AsyncGenerator[None, None]:
        await asyncio.to_thread(editions.reload)
        stop = asyncio.Event()
        watching = asyncio.create_task(watch(editions, stop))
        try:
            yield
        finally:
            stop.set()
            await watching

    return run
