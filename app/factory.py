"""The factory: the only place where an application is put together."""

from __future__ import annotations

from datetime import UTC, datetime

from quart import Quart

from app import errors, http_manners, legacy, public
from app.database.database import Database
from app.edition import Editions
from app.lifespan import lifespan
from app.public.localized import legacy_routes
from app.response_cache import ResponseCache
from app.services import Clock, Services, install_services
from app.settings import Settings, load_settings
from app.site import maps
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
    app.asgi_app = cache  # type: ignore[method-assign]  # Quart's own way to add a layer
    database = Database(settings.database_url)
    install_services(app, Services(settings, clock, editions, cache, database, clock()))
    app.while_serving(lifespan(editions, database))
    http_manners.install(app)
    errors.install(app)
    for routes in public.BLUEPRINTS:
        app.register_blueprint(routes, url_prefix=legacy.STABLE + (routes.url_prefix or ""))
    legacy.install(app)
    app.register_blueprint(legacy_routes)
    app.register_blueprint(maps.routes)
    site_routes.install(app)
    return app
