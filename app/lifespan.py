"""Start and stop: what lives as long as the application does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress

from app.database.errors import StoreUnavailable
from app.leads.retention import keep_for
from app.services import Services
from app.settling import settle
from app.watcher import watch


def lifespan(at: Services) -> Callable[[], AsyncGenerator[None, None]]:
    """Load the first edition and look at the database; then watch, tend and purge until the end.

    A database that cannot answer does not keep content from being served; one with another
    schema ends the start.
    """

    async def run() -> AsyncGenerator[None, None]:
        async with at.executors, at.database, at.limiter, at.partner:
            with suppress(StoreUnavailable):  # it is logged, and looked for at each use
                await at.database.prepare()
            await at.executors.edits.run(at.editions.reload)
            stop = asyncio.Event()
            works = [
                watch(at.editions, at.executors.edits, stop),
                settle(at.editions, at.executors.edits, stop),
                keep_for(at.settings.lead_retention_days, at.leads, at.clock, stop),
                at.partner.deliver(stop),
            ]
            if at.settings.metrics_port is not None:
                works.append(at.partner.census.run(stop))
            tasks = asyncio.gather(*works)
            try:
                yield
            finally:
                stop.set()
                await tasks

    return run
