"""The application factory: the only module that assembles an application, and its lifespan."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, suppress
from dataclasses import replace
from functools import partial
from itertools import chain
from pkgutil import resolve_name
from typing import Any, cast

from quart import Quart

from app.feature import active_features, delivery_kinds, feature_facts, form_kinds
from app.platform.artefacts import open_source
from app.platform.asgi.client_address import TrustedProxies
from app.platform.clock import Clock, Ticks, utc_now
from app.platform.concurrency.background import (
    Background,
    Component,
    PolledSamples,
    Work,
    event_or_stop,
)
from app.platform.concurrency.executors import Executors
from app.platform.database import StoreUnavailable
from app.platform.database.database import Database
from app.platform.database.transaction_groups import write_groups
from app.platform.deliveries.delivery import DeliveryKind
from app.platform.deliveries.outbox import DatabaseClock, Outbox
from app.platform.limits.limiter import Limiter
from app.platform.observability.logs import STDERR
from app.platform.observability.metrics import Metrics
from app.publishing.content.indexes import open_meaning
from app.publishing.content.store import ContentStore
from app.publishing.content.watcher import compact, watch
from app.publishing.response_cache import ResponseCache
from app.services import KEY, Services, Startup, StaticSite
from app.settings import Settings, load_settings
from app.tables import all_tables, shared_keys
from app.web.http.workloads import Application
from app.web.pipeline.layers import wrap
from app.web.pipeline.observation import observers, random_id
from app.web.routes import add_routes
from app.web.site.discovery import prepare_maps


def create_app(
    settings: Settings | None = None,
    clock: Clock = utc_now,
    ticks: Ticks = time.monotonic,
    new_id: Callable[[], str] = random_id,
    content_store: ContentStore | None = None,
    static_site: StaticSite | None = None,
    startup: Startup | None = None,
) -> Quart:
    """Create the application; by default settings are read from the environment.

    A content store may have loaded the content already. With `static_site`, responses are for
    files, and only the features are there that can be files.
    """
    settings = settings or load_settings()
    content_store = content_store or open_content_store(settings, clock)
    database = Database(
        settings.database_url,
        keys=shared_keys(settings),
        connections=settings.database_pool,
        tables=all_tables,
    )
    services = Services(
        settings=settings,
        clock=clock,
        content_store=content_store,
        executors=Executors(),
        cache=ResponseCache(content_store, clock),
        metrics=Metrics(),
        database=database,
        writer=write_groups(database),
        limiter=Limiter(ticks, settings.redis_url, settings.redis_timeout_seconds),
        proxies=TrustedProxies(settings.trusted_proxies),
        new_id=new_id,
        started_at=clock(),
        startup=startup or Startup(settings.startup_seconds),
        delivery_kinds=tuple(map(DeliveryKind, delivery_kinds())),
        static_site=static_site,
    )
    active = [each for each in active_features(settings) if not static_site or each.is_static]
    services = replace(services, parts=(*observers(services), *feature_facts(settings)))
    opened = (resolve_name(feature.parts)(services) for feature in active if feature.parts)
    services = replace(services, parts=(*services.parts, *chain.from_iterable(opened)))
    _register_metrics(services)
    app = Application()
    app.extensions[KEY] = services
    app.while_serving(partial(_lifespan, services))
    for feature in active:  # first, so that what they do to responses is done last
        if feature.install:
            resolve_name(feature.install)(app)
    add_routes(
        app,
        api=(resolve_name(name) for feature in active for name in feature.api),
        others=(resolve_name(name) for feature in active for name in feature.routes),
    )
    # Quart documents replacing `asgi_app` as the way to add ASGI middleware.
    app.asgi_app = wrap(app)  # type: ignore[method-assign, assignment]
    return app


def _register_metrics(services: Services) -> None:
    for source in (
        services.content_store.metrics_samples,
        services.executors.metrics_samples,
        services.cache.metrics_samples,
        services.limiter.metrics_samples,
        services.database.metrics_samples,
        STDERR.metrics_samples,
        *(component.metrics_samples for component in services.all(Component)),
    ):
        services.metrics.register(source)


def open_content_store(settings: Settings, clock: Clock = utc_now) -> ContentStore:
    """Return the store of the content, which is not loaded yet."""
    source = open_source(settings.index_source)
    meaning = open_meaning(settings.index_dir, source) if settings.meaning else None
    return ContentStore(
        settings.content_dir,
        settings.index_dir,
        clock,
        settings.cache_dir,
        meaning,
        form_kinds(settings),
        source,
    )


async def _lifespan(services: Services) -> AsyncGenerator[None, None]:
    """Prepare the database, load the first edition, and run background tasks until the stop.

    Content is served even if the database is unavailable. A database with another schema
    version makes the start fail.
    """
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
        services.startup.begin("Loading the content")
        await services.executors.edits.run(services.content_store.reload)
        services.startup.has_ended = True
        stop = asyncio.Event()
        background = Background(services.metrics, dict(_background_tasks(services)))
        running = asyncio.create_task(background.run(stop))
        try:
            yield
        finally:
            stop.set()
            await running


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
