"""Start and stop: what lives as long as the application does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable

from app.edition import Editions
from app.settling import settle
from app.watcher import watch


def lifespan(editions: Editions) -> Callable[[], AsyncGenerator[None, None]]:
    """Load the first edition, then watch the folder and tend the search index until the end."""

    async def run() -> AsyncGenerator[None, None]:
        await asyncio.to_thread(editions.reload)
        stop = asyncio.Event()
        tasks = asyncio.gather(watch(editions, stop), settle(editions, stop))
        try:
            yield
        finally:
            stop.set()
            await tasks

    return run
