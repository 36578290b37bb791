"""The lifespan: what the application starts with and stops at its end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, suppress
from functools import partial
from typing import Any, cast

from app.platform.concurrency.background import Background, Component, Work, event_or_stop
from app.platform.database.errors import StoreUnavailable
from app.platform.database.periodic_work import PolledSamples
from app.platform.deliveries.outbox import DatabaseClock, Outbox
from app.publishing.content.watcher import compact, watch
from app.services import Services
from app.web.site.map_preparation import prepare_maps


def lifespan(services: Services) -> Callable[[], AsyncGenerator[None, None]]:
    """Prepare the database, load the first edition, and run background tasks until the stop.

    Content is served even if the database is unavailable. A database with another schema
    version makes the start fail.
    """

    async def run() -> AsyncGenerator[None, None]:
        async with AsyncExitStack() as stack:
            for each in (
                services.executors,
                services.database,
                services.writer,
                services.limiter,
                *services.all(AbstractAsyncContextManager),
            ):
                await stack.enter_async_context(cast(AbstractAsyncContextManager[Any], each))
            with suppress(StoreUnavailable):  # already logged; each use checks again
                await services.database.prepare()
            await services.executors.edits.run(services.content_store.reload)
            stop = asyncio.Event()
            background = Background(services.metrics, dict(_background_tasks(services)))
            running = asyncio.create_task(background.run(stop))
            try:
                yield
            finally:
                stop.set()
                await running

    return run


def _background_tasks(services: Services) -> Iterator[tuple[str, Work]]:
    """Yield the background tasks by name; the names are values of a metric label."""
    store, executors = services.content_store, services.executors
    yield "watch", partial(watch, store, executors.edits)
    yield "index_maintenance", partial(compact, store, executors.edits)
    yield "maps", partial(prepare_maps, services)
    yield "database", services.database.watch
    for component in services.all(Component):
        yield from component.tasks()
        for name, work in component.tasks_of_one_process():
            yield name, partial(_in_turn, services, work)
    if services.settings.metrics_port is not None:
        outbox = Outbox(services.database, DatabaseClock(services.clock))
        deliveries = PolledSamples(partial(outbox.samples, services.clock, services.delivery_kinds))
        services.metrics.register(deliveries.metrics_samples)
        yield "outbox_metrics", deliveries.run


async def _in_turn(services: Services, work: Work, stop: asyncio.Event) -> None:
    """Run a task once this is the process that does it for the others."""
    await event_or_stop(stop, services.records_changes)
    await work(stop)
