"""Start and stop: what lives as long as the application does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress

from app.database.database import Database
from app.database.errors import StoreUnavailable
from app.edition import Editions
from app.watcher import watch


def lifespan(editions: Editions, database: Database) -> Callable[[], AsyncGenerator[None, None]]:
    """Load the first edition and look at the database, then watch the content folder.

    A database that cannot answer does not keep content from being served; one with another
    schema ends the start.
    """

    async def run() -> AsyncGenerator[None, None]:
        async with database:
            with suppress(StoreUnavailable):  # it is logged, and looked for at each use
                await database.prepare()
            await asyncio.to_thread(editions.reload)
            stop = asyncio.Event()
            watching = asyncio.create_task(watch(editions, stop))
            try:
                yield
            finally:
                stop.set()
                await watching

    return run
