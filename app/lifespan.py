"""Start and stop: what lives as long as the application does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import suppress
from functools import partial

from app.concurrency.background import Background, Work
from app.content.index_maintenance import compact
from app.content.watcher import watch
from app.database.errors import StoreUnavailable
from app.leads.quarantine import Quarantine
from app.leads.retention import Retention
from app.services import Services


def lifespan(at: Services) -> Callable[[], AsyncGenerator[None, None]]:
    """Load the first edition and look at the database; then watch, tend and purge until the end.

    A database that cannot answer does not keep content from being served; one with another
    schema ends the start.
    """

    async def run() -> AsyncGenerator[None, None]:
        async with at.executors, at.database, at.limiter, at.partner:
            with suppress(StoreUnavailable):  # it is logged, and looked for at each use
                await at.database.prepare()
            await at.executors.edits.run(at.content_store.reload)
            stop = asyncio.Event()
            background = Background(at.metrics, dict(_works(at)))
            running = asyncio.create_task(background.run(stop))
            try:
                yield
            finally:
                stop.set()
                await running

    return run


def _works(at: Services) -> Iterator[tuple[str, Work]]:
    """What runs beside the requests, by name."""
    yield "watch", partial(watch, at.content_store, at.executors.edits)
    yield "settle", partial(compact, at.content_store, at.executors.edits)
    yield "database", at.database.watch
    yield "deliver", at.partner.deliver
    if at.settings.lead_retention_days is not None:
        yield "retention", Retention(at.settings.lead_retention_days, at.leads, at.clock).run
    if at.settings.metrics_port is not None:
        quarantine = Quarantine(at.leads)
        at.metrics.register(quarantine.metrics_samples)
        yield "census", at.partner.outbox_metrics.run
        yield "quarantine", quarantine.run
