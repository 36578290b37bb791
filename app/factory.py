"""The application factory: the only module that assembles an application."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from pkgutil import resolve_name

from quart import Quart

from app.feature import active_features, delivery_kinds, feature_facts
from app.lifespan import lifespan
from app.platform.clock import Clock, Ticks, utc_now
from app.platform.concurrency.background import Component
from app.platform.database.database import Database
from app.publishing.content.store import ContentStore
from app.services import KEY, Services, open_services
from app.settings import Settings, load_settings
from app.tables import all_tables, shared_keys
from app.web.http.workloads import Application
from app.web.pipeline.layers import wrap
from app.web.pipeline.observation import random_id
from app.web.pipeline.observers import observers
from app.web.routes import add_routes


def create_app(
    settings: Settings | None = None,
    clock: Clock = utc_now,
    ticks: Ticks = time.monotonic,
    new_id: Callable[[], str] = random_id,
    content_store: ContentStore | None = None,
) -> Quart:
    """Create the application; by default settings are read from the environment.

    A content store may have loaded the content already.
    """
    settings = settings or load_settings()
    content_store = content_store or open_content_store(settings, clock)
    database = Database(settings.database_url, keys=shared_keys(settings), tables=all_tables)
    services = open_services(
        settings, clock, ticks, new_id, content_store, database, delivery_kinds()
    )
    active = active_features(settings)
    services = replace(services, parts=(*observers(services), *feature_facts(settings)))
    opened = (resolve_name(feature.parts)(services) for feature in active if feature.parts)
    services = replace(services, parts=(*services.parts, *chain.from_iterable(opened)))
    _register_metrics(services)
    app = Application()
    app.extensions[KEY] = services
    app.while_serving(lifespan(services))
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
        *(component.metrics_samples for component in services.all(Component)),
    ):
        services.metrics.register(source)


def open_content_store(settings: Settings, clock: Clock = utc_now) -> ContentStore:
    """Return the store of the content, which is not loaded yet."""
    return ContentStore(settings.content_dir, settings.index_dir, clock, settings.cache_dir)
