"""Localized content: registry pages, software detail, city pages."""

from quart import Blueprint, Response

from app import parameters
from app.legacy import SOFTWARE_DETAIL
from app.responses import respond
from app.routing import rule
from knowledge.resources import localized

routes = Blueprint("localized", __name__)
legacy_routes = Blueprint("software", __name__)


@routes.get("/locale-content/<slug>")
async def get_locale_content(slug: str) -> Response:
    """Get one of the six localized registry pages, with how it was resolved."""
    return respond(localized.registry_page(parameters.view(), slug))


@routes.get("/locale-content/software/<kind>/<slug>")
async def get_software_content(kind: str, slug: str) -> Response:
    """Get an ERP module or industry page, with how it was resolved."""
    return respond(localized.software_page(parameters.view(), kind, slug))


@routes.get("/locale-content/city/<city_slug>/<page_slug>")
async def get_city_content(city_slug: str, page_slug: str) -> Response:
    """Get a page as a city's readers see it; `index` is the city's own landing page."""
    view = parameters.view(by_country=False)
    return respond(localized.city_page(view, city_slug, page_slug))


@legacy_routes.get(rule(SOFTWARE_DETAIL))
async def get_software_detail(kind: str, slug: str) -> Response:
    """Get an ERP module or industry in the legacy shape."""
    return respond(localized.software_detail(parameters.view(), kind, slug))
