"""The application factory: the only module that assembles an application."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from pkgutil import resolve_name

from quart import Quart

from app.features import delivery_kinds, features
from app.features.feature import Feature
from app.features.key_files import shared_keys
from app.lifespan import lifespan
from app.platform.asgi.client_address import TrustedProxies
from app.platform.clock import Clock, Ticks, utc_now
from app.platform.component import Component
from app.platform.concurrency.executors import Executors
from app.platform.database.database import Database
from app.platform.database.transaction_groups import write_groups
from app.platform.deliveries.delivery import DeliveryKind
from app.platform.limits.limiter import Limiter
from app.platform.observability.access_log import AccessLog
from app.platform.observability.log_output import LineWriter, LogFile, StandardOutput
from app.platform.observability.metrics import Metrics
from app.platform.observability.tracing import open_tracer
from app.publishing.cache.response_cache import ResponseCache
from app.publishing.content.store import ContentStore
from app.services import KEY, Services
from app.settings import Settings, load_settings
from app.tables import all_tables
from app.web import error_handlers, legacy, public
from app.web.http import bodies
from app.web.http.workloads import Application
from app.web.openapi.document import routes as openapi_routes
from app.web.pipeline.access_logs import AccessLogs
from app.web.pipeline.layers import wrap
from app.web.pipeline.observation import RequestMetrics, random_id
from app.web.pipeline.traces import ServerSpans
from app.web.site import agents, developers, discovery
from app.web.site import locales as site_locales
from app.web.site import routes as site_routes


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
    app = Application("majlis", static_folder=None)
    # Without this, werkzeug redirects `//path` to the host named in the Host header.
    app.url_map.merge_slashes = False
    app.config["MAX_CONTENT_LENGTH"] = bodies.MAX_BYTES
    app.config["BODY_TIMEOUT"] = bodies.TIMEOUT_SECONDS
    database = Database(settings.database_url, keys=shared_keys(settings), tables=all_tables)
    cache = ResponseCache(content_store, clock)
    services = Services(
        settings=settings,
        clock=clock,
        content_store=content_store,
        executors=Executors(),
        cache=cache,
        metrics=Metrics(),
        database=database,
        writer=write_groups(database),
        limiter=Limiter(ticks, settings.redis_url, settings.redis_timeout_seconds),
        proxies=TrustedProxies(settings.trusted_proxies),
        new_id=new_id,
        started_at=clock(),
        delivery_kinds=tuple(map(DeliveryKind, delivery_kinds())),
    )
    active = active_features(settings)
    services = replace(services, parts=(*_observers(services), *feature_facts(settings)))
    opened = (resolve_name(feature.parts)(services) for feature in active if feature.parts)
    services = replace(services, parts=(*services.parts, *chain.from_iterable(opened)))
    _register_metrics(services)
    app.extensions[KEY] = services
    app.while_serving(lifespan(services))
    error_handlers.install(app)
    _add_routes(app, active)
    # Quart documents replacing `asgi_app` as the way to add ASGI middleware.
    app.asgi_app = wrap(app)  # type: ignore[method-assign, assignment]
    return app


def active_features(settings: Settings) -> list[Feature]:
    """Return the features that the settings switch on."""
    return [each for each in features() if not each.switch or getattr(settings, each.switch)]


def feature_facts(settings: Settings) -> tuple[object, ...]:
    """Return what the features tell of themselves, before there is an application."""
    told = (resolve_name(each.facts)(settings) for each in active_features(settings) if each.facts)
    return tuple(chain.from_iterable(told))


def _register_metrics(services: Services) -> None:
    for platform in (
        services.content_store.metrics_samples,
        services.executors.metrics_samples,
        services.cache.metrics_samples,
        services.limiter.metrics_samples,
        services.database.metrics_samples,
    ):
        services.metrics.register(platform)
    for component in services.all(Component):
        services.metrics.register(component.metrics_samples)


def _add_routes(app: Quart, active: Iterable[Feature]) -> None:
    """Add the routes of web and of the features; that of all other paths is the last."""
    added = (resolve_name(name) for feature in active for name in feature.api)
    for routes in sorted((*public.blueprints(), *added), key=attrgetter("name")):
        app.register_blueprint(routes, url_prefix=public.STABLE + (routes.url_prefix or ""))
    legacy.install(app)
    site_locales.install(app)
    for routes in (discovery.routes, agents.routes, openapi_routes, developers.routes):
        app.register_blueprint(routes)
    for name in (name for feature in active for name in feature.routes):
        app.register_blueprint(resolve_name(name))
    for feature in active:
        if feature.install:
            resolve_name(feature.install)(app)
    site_routes.install(app)


def open_content_store(settings: Settings, clock: Clock = utc_now) -> ContentStore:
    """Return the store of the content, which is not loaded yet."""
    return ContentStore(settings.content_dir, settings.index_dir, clock, settings.cache_dir)


def _observers(services: Services) -> Iterator[object]:
    """Yield what notes requests, the outermost first: traces, the access log and the metrics."""
    settings = services.settings
    if settings.tracing:
        tracing = open_tracer(settings.tracing, settings.otlp_endpoint)
        yield from (tracing, ServerSpans(tracing))
    if settings.access_log != "off":
        file = settings.access_log_file
        writer = LineWriter(LogFile(file) if file else StandardOutput())
        log = AccessLog(settings.access_log, settings.access_log_addresses, writer)
        yield from (log, AccessLogs(log, services.proxies))
    if settings.metrics_port is not None:
        yield RequestMetrics(services.metrics)
