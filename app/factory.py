"""The application factory: the only module that assembles an application."""

from __future__ import annotations

import time
from collections.abc import Callable

from quart import Quart

from app.features.audience.audience import Audience, open_audience
from app.features.changes.cdn.purger import Editions
from app.features.changes.feed import ChangeFeed
from app.features.changes.followers.service import open_followers
from app.features.changes.followers.subscribers import CurrentChanges
from app.features.changes.log import ChangeLog
from app.features.changes.markdown_tags import MarkdownTags
from app.features.feedback.store import FeedbackStore
from app.features.images.drawings import Drawings
from app.features.images.store import ImageStore
from app.features.images.variants import ImageVariants
from app.features.key_files import shared_keys
from app.features.leads.notifications.service import lead_store, open_notifications
from app.features.leads.outcome import init_metrics
from app.features.leads.proof import Altcha, Proof
from app.features.leads.spam_filter import SpamFilter
from app.features.leads.spam_history import HourlyLimits, SpamHistory
from app.features.orders.partner import lock_out
from app.features.orders.partner.service import open_partner
from app.features.tables import all_tables
from app.lifespan import lifespan
from app.platform.asgi.client_address import TrustedProxies
from app.platform.clock import Clock, Ticks, utc_now
from app.platform.concurrency.executors import Executors
from app.platform.database.database import Database
from app.platform.database.transaction_groups import write_groups
from app.platform.deliveries.outbox import DatabaseClock, Outbox
from app.platform.key_file import KeyFile, ProcessKey
from app.platform.limits.limiter import Limiter
from app.platform.observability.access_log import AccessLog
from app.platform.observability.line_writer import LineWriter
from app.platform.observability.log_output import LogFile, StandardOutput
from app.platform.observability.metrics import Metrics
from app.platform.observability.tracing import TracingService, open_tracer
from app.publishing.cache.response_cache import ResponseCache
from app.publishing.content.store import ContentStore
from app.services import KEY, Services
from app.settings import Settings, load_settings
from app.web import error_handlers, legacy, pipeline, public
from app.web.erp import BLUEPRINTS as ERP_BLUEPRINTS
from app.web.http import bodies, cdn, searches
from app.web.http.workloads import Application
from app.web.mcp.routes import routes as mcp_routes
from app.web.openapi.routes import routes as openapi_routes
from app.web.pipeline.request_ids import random_id
from app.web.site import agents, developers, discovery, images, indexnow, preview
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
    limiter = Limiter(ticks, settings.redis_url, settings.redis_timeout_seconds)
    executors = Executors()
    cache = ResponseCache(content_store, clock)
    images_made = ImageStore(settings.image_dir)
    metrics = Metrics()
    init_metrics(metrics)
    lock_out.init_metrics(metrics)
    partner = open_partner(settings, database, clock)
    changes, change_feed = ChangeLog(database), ChangeFeed(MarkdownTags(settings.public_url))
    followers = open_followers(
        settings,
        database,
        clock,
        CurrentChanges(changes, change_feed, content_store, executors.edits, clock),
        Editions(content_store, executors.edits, settings.public_url),
    )
    outbox = Outbox(database, DatabaseClock(clock))
    writer = write_groups(database)
    leads = lead_store(settings, database, outbox, writer)
    lead_key = ProcessKey(KeyFile(settings.leads_key_file))
    notifications = open_notifications(settings, database, outbox, leads, clock)
    for service in (
        content_store,
        executors,
        cache,
        limiter,
        database,
        partner,
        followers,
        notifications,
    ):
        metrics.register(service.metrics_samples)
    audience = _audience(settings, database, clock)
    services = Services(
        settings=settings,
        access_log=_access_log(settings),
        tracer=_tracer(settings),
        audience=audience,
        clock=clock,
        content_store=content_store,
        executors=executors,
        cache=cache,
        variants=ImageVariants(settings.content_dir, images_made),
        drawings=Drawings(settings.content_dir, images_made),
        metrics=metrics,
        database=database,
        writer=writer,
        leads=leads,
        lead_key=lead_key,
        spam_filter=_spam_filter(settings, database, lead_key),
        proof=_proof(settings, lead_key),
        notifications=notifications,
        changes=changes,
        change_feed=change_feed,
        feedback=FeedbackStore(database, writer),
        limiter=limiter,
        partner=partner,
        followers=followers,
        proxies=TrustedProxies(settings.trusted_proxies),
        new_id=new_id,
        started_at=clock(),
    )
    app.extensions[KEY] = services
    app.while_serving(lifespan(services))
    if audience is not None:
        metrics.register(audience.counts.metrics_samples)
        searches.install(app)
    cdn.install(app, settings.cdn)
    error_handlers.install(app)
    for routes in public.blueprints():
        app.register_blueprint(routes, url_prefix=public.STABLE + (routes.url_prefix or ""))
    legacy.install(app)
    for routes in ERP_BLUEPRINTS:
        app.register_blueprint(routes)
    site_locales.install(app)
    app.register_blueprint(discovery.routes)
    app.register_blueprint(agents.routes)
    indexnow.install(app, settings.indexnow_key)
    app.register_blueprint(openapi_routes)
    if settings.mcp:
        app.register_blueprint(mcp_routes)
        app.register_blueprint(agents.mcp_routes)
    app.register_blueprint(developers.routes)
    app.register_blueprint(images.routes)
    preview.install(app)
    site_routes.install(app)
    # Quart documents replacing `asgi_app` as the way to add ASGI middleware.
    app.asgi_app = pipeline.wrap(app)  # type: ignore[method-assign, assignment]
    return app


def open_content_store(settings: Settings, clock: Clock = utc_now) -> ContentStore:
    """Return the store of the content, which is not loaded yet."""
    return ContentStore(settings.content_dir, settings.index_dir, clock, settings.cache_dir)


def _access_log(settings: Settings) -> AccessLog | None:
    """Return the access log, if there is to be one."""
    if settings.access_log == "off":
        return None
    file = settings.access_log_file
    writer = LineWriter(LogFile(file) if file else StandardOutput())
    return AccessLog(settings.access_log, settings.access_log_addresses, writer)


def _spam_filter(settings: Settings, database: Database, key: ProcessKey) -> SpamFilter:
    """Return what tells spam from enquiries."""
    limits = HourlyLimits(settings.leads_per_network, settings.leads_per_hour)
    return SpamFilter(SpamHistory(database), key, limits)


def _proof(settings: Settings, key: ProcessKey) -> Proof | None:
    """Return the proof that the contact form asks for, if it asks for one."""
    if settings.leads_proof == "altcha":
        return Altcha(key)
    if settings.leads_proof == "turnstile":
        # Only this proof needs an HTTP client, which takes 30 ms to import.
        from app.features.leads.turnstile import Turnstile  # noqa: PLC0415

        secret, url = settings.turnstile_secret, settings.turnstile_url
        return Turnstile(settings.turnstile_site_key, secret, url)
    return None


def _tracer(settings: Settings) -> TracingService | None:
    """Return what takes the spans, if requests are to be traced."""
    exporter = settings.tracing
    return open_tracer(exporter, settings.otlp_endpoint) if exporter else None


def _audience(settings: Settings, database: Database, clock: Clock) -> Audience | None:
    """Return what counts the readers, if they are to be counted."""
    if not settings.audience:
        return None
    return open_audience(
        database,
        clock,
        settings.public_url,
        settings.audience_retention_days,
        settings.audience_write_seconds,
    )
