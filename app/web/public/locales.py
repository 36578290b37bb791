"""Locale helpers: the probable country and language of a client."""

from quart import Blueprint, Response

from app.platform.asgi.caching import Caching
from app.services import edition
from app.web.http import request_context
from app.web.http.parameters import site_snapshot
from app.web.http.responses import respond
from app.web.openapi.operation import operation
from knowledge.resources import places
from knowledge.snapshot.snapshot import NO_DOCUMENTS

routes = Blueprint("locales", __name__)


@routes.get("/locale-hint")
@operation(places.LocaleHint, lambda view: places.locale_hint(view.snapshot, None), errors=())
async def get_locale_hint() -> Response:
    """Get an approximate country hint from a trusted proxy's header; nothing is stored."""
    snapshot = site_snapshot() or NO_DOCUMENTS
    hint = places.locale_hint(snapshot, request_context.hinted_country())
    return respond(hint, Caching.PERSONAL)


@routes.get("/locale-routing")
@operation(
    places.LocaleRouting,
    lambda view: places.locale_routing(
        view.snapshot, view.snapshot.locales.other.country, [view.snapshot.locales.other.language]
    ),
)
async def get_locale_routing() -> Response:
    """Get where the site root would redirect this client; informational."""
    snapshot = edition().snapshot
    routing = places.locale_routing(
        snapshot, request_context.hinted_country(), request_context.accepted_languages()
    )
    return respond(routing, Caching.PERSONAL)
