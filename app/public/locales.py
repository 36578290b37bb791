"""Locale helpers: the probable country and language of a client."""

from quart import Blueprint, Response, request

from app.asgi.caching import Caching
from app.http import parameters
from app.http.responses import respond
from app.openapi.operation import operation
from knowledge.locale import Country
from knowledge.resources import locales

routes = Blueprint("locales", __name__)


@routes.get("/locale-hint")
@operation(locales.LocaleHint, lambda _: locales.locale_hint(None), errors=())
async def get_locale_hint() -> Response:
    """Get an approximate country hint from a trusted proxy's header; nothing is stored."""
    return respond(locales.locale_hint(parameters.hinted_country()), Caching.PERSONAL)


@routes.get("/locale-routing")
@operation(
    locales.LocaleRouting, lambda view: locales.locale_routing(view.snapshot, Country.SA, ("ar",))
)
async def get_locale_routing() -> Response:
    """Get where the site root would redirect this client; informational."""
    snapshot = parameters.view(by_country=False, by_language=False).snapshot
    tags = (tag for tag, quality in request.accept_languages if quality > 0)
    routing = locales.locale_routing(snapshot, parameters.hinted_country(), tags)
    return respond(routing, Caching.PERSONAL)
