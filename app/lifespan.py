"""The lifespan: what the application starts with and stops at its end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import nullcontext, suppress
from functools import partial

from app.features.changes.recorder import ChangeRecorder
from app.features.changes.retention import ChangeRetention
from app.features.images.maintenance import prune_images
from app.features.leads.identities import Identities
from app.features.leads.retention import ANONYMISATION, Retention
from app.platform.concurrency.background import Background, Work
from app.platform.concurrency.wait_or_stop import event_or_stop
from app.platform.database.errors import StoreUnavailable
from app.platform.database.polled_samples import PolledSamples
from app.platform.deliveries.outbox import DatabaseClock, Outbox
from app.publishing.content.index_maintenance import compact
from app.publishing.content.watcher import watch
from app.services import Services
from app.web.site.map_preparation import prepare_maps


def lifespan(services: Services) -> Callable[[], AsyncGenerator[None, None]]:
    """Prepare the database, load the first edition, and run background tasks until the stop.

    Content is served even if the database is unavailable. A database with another schema
    version makes the start fail.
    """

    async def run() -> AsyncGenerator[None, None]:
        async with (
            services.access_log or nullcontext(),
            services.tracer or nullcontext(),
            services.executors,
            services.database,
            services.writer,
            services.limiter,
            services.partner,
            services.followers,
            services.notifications,
            services.proof or nullcontext(),
        ):
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
    settings = services.settings
    store, executors = services.content_store, services.executors
    yield "watch", partial(watch, store, executors.edits)
    yield "index_maintenance", partial(compact, store, executors.edits)
    images = (services.variants, services.drawings, store, executors.images)
    yield "images", partial(prune_images, *images)
    yield "maps", partial(prepare_maps, services)
    yield "database", services.database.watch
    yield "deliver", services.partner.deliver
    yield from services.followers.background_tasks()
    yield from services.notifications.background_tasks()
    yield from _change_tasks(services)
    yield from _lead_tasks(services)
    if services.audience is not None:
        yield from services.audience.tasks()
    if settings.metrics_port is not None:
        outbox = Outbox(services.database, DatabaseClock(services.clock))
        deliveries = PolledSamples(partial(outbox.samples, services.clock))
        quarantine = PolledSamples(services.leads.quarantined_samples)
        for counts in (deliveries, quarantine):
            services.metrics.register(counts.metrics_samples)
        yield "outbox_metrics", deliveries.run
        yield "quarantine", quarantine.run


async def _in_turn(services: Services, work: Work, stop: asyncio.Event) -> None:
    """Run a task once this is the process that does it for the others."""
    await event_or_stop(stop, services.records_changes)
    await work(stop)


def _lead_tasks(services: Services) -> Iterator[tuple[str, Work]]:
    """Yield the tasks that delete old leads, and anonymise those that are less old."""
    settings, clock = services.settings, services.clock
    if settings.lead_retention_days is not None:
        yield "retention", Retention(settings.lead_retention_days, services.leads, clock).run
    if settings.lead_anonymise_days is not None:
        identities = Identities(services.database)
        days = settings.lead_anonymise_days
        yield "anonymise", Retention(days, identities, clock, words=ANONYMISATION).run


def _change_tasks(services: Services) -> Iterator[tuple[str, Work]]:
    """Yield the tasks that record the changes of pages, and delete old ones."""
    store, edits = services.content_store, services.executors.edits
    recorder = ChangeRecorder(services.database, store, edits, services.clock)
    for name, work in [("changes", recorder.run), *services.followers.tasks_of_one_process()]:
        yield name, partial(_in_turn, services, work)
    days = services.settings.changes_retention_days
    yield "changes_retention", ChangeRetention(days, services.changes, services.clock).run
