"""The routes of an application: those of web, and those that features add."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter

from quart import Blueprint, Quart

from app.web import error_handlers, legacy, public
from app.web.openapi.document import routes as openapi_routes
from app.web.site import agents, developers, discovery
from app.web.site import locales as site_locales
from app.web.site import routes as site_routes


def add_routes(app: Quart, api: Iterable[Blueprint], others: Iterable[Blueprint]) -> None:
    """Add all routes; `api` are below the prefix of the public API.

    The route of all other paths is the last.
    """
    error_handlers.install(app)
    for routes in sorted((*public.blueprints(), *api), key=attrgetter("name")):
        app.register_blueprint(routes, url_prefix=public.STABLE + (routes.url_prefix or ""))
    legacy.install(app)
    site_locales.install(app)
    for routes in (
        discovery.routes,
        agents.routes,
        openapi_routes,
        developers.routes,
        *others,
    ):
        app.register_blueprint(routes)
    site_routes.install(app)
