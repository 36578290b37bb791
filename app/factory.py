"""The factory: the only place where an application is put together."""

from __future__ import annotations

from datetime import UTC, datetime

from quart import Quart

from app import errors, http_manners, legacy, metering, public
from app.edition import Editions
from app.lifespan import lifespan
from app.metering import Metering
from app.metrics import Metrics
from app.openapi.routes import routes as openapi_routes
from app.public.localized import legacy_routes
from app.response_cache import ResponseCache
from app.services import Clock, Services, install_services
from app.settings import Settings, load_settings
from app.site import developers, maps
from app.site import routes as site_routes


def utc_now() -> datetime:
    """The clock of a running service."""
    return datetime.now(UTC)


def create_app(settings: Settings | None = None, clock: Clock = utc_now) -> Quart:
    """An ASGI application for these settings, by default those of the environment."""
    settings = settings or load_settings()
    editions = Editions(settings.content_dir)
    app = Quart("majlis", static_folder=None)
    # A doubled slash is no page of ours; werkzeug would redirect to whatever Host was sent.
    app.url_map.merge_slashes = False
    cache = ResponseCache(app.asgi_app, editions, clock)
    metrics = Metrics()
    metrics.watch(editions.figures)
    metrics.watch(cache.figures)
    # Quart's own way to add layers; the last is the first to see a request.
    app.asgi_app = cache  # type: ignore[method-assign]
    if settings.metrics_port is not None:
        app.asgi_app = Metering(cache, metrics)  # type: ignore[method-assign]
        metering.install(app)
    install_services(app, Services(settings, clock, editions, cache, metrics, clock()))
    app.while_serving(lifespan(editions))
    http_manners.install(app)
    errors.install(app)
    for routes in public.BLUEPRINTS:
        app.register_blueprint(routes, url_prefix=legacy.STABLE + (routes.url_prefix or ""))
    legacy.install(app)
    app.register_blueprint(legacy_routes)
    app.register_blueprint(maps.routes)
    app.register_blueprint(openapi_routes)
    app.register_blueprint(developers.routes)
    site_routes.install(app)
    return app
