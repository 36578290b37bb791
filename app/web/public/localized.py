"""Localized content: registry pages, software pages, city pages."""

from quart import Blueprint, Response

from app.web.http import parameters
from app.web.http.responses import respond
from app.web.openapi.operation import FINDS_ONE, PathParameter, first_of, operation
from knowledge.fields.content_types import CITY, REGISTRY
from knowledge.resources import localized, software

REGISTRY_SLUG = PathParameter(
    "One of the six registry pages.", first_of(REGISTRY), REGISTRY.page_slugs
)

routes = Blueprint("localized", __name__)


@routes.get("/locale-content/<slug>")
@operation(
    localized.LocalizedContent,
    localized.registry_page,
    path=(REGISTRY_SLUG,),
    query=parameters.LOCALE,
    errors=FINDS_ONE,
    kinds=(REGISTRY,),
)
def get_locale_content(slug: str) -> Response:
    """Get one of the six localized registry pages, and how it was resolved."""
    return respond(localized.registry_page(parameters.view(), slug))


SOFTWARE = tuple(software.SOFTWARE_KINDS.values())
SOFTWARE_KIND = PathParameter(
    "Kind of page.",
    lambda view: next(iter(software.software_kinds(view.snapshot)), None),
    tuple(software.SOFTWARE_KINDS),
)
SOFTWARE_SLUG = PathParameter(
    "Slug of a page of the kind.",
    lambda view: next((first_of(each)(view) for each in SOFTWARE if view.snapshot.has(each)), None),
    pattern="^[a-z0-9]+(-[a-z0-9]+)*$",
)


@routes.get("/locale-content/software/<kind>/<slug>")
@operation(
    localized.LocalizedContent,
    software.software_page,
    path=(SOFTWARE_KIND, SOFTWARE_SLUG),
    query=parameters.LOCALE,
    errors=FINDS_ONE,
    kinds=SOFTWARE,
)
def get_software_content(kind: str, slug: str) -> Response:
    """Get a page of one of these kinds, and how it was resolved.

    Another kind, or a malformed slug, gives 400.
    """
    return respond(software.software_page(parameters.view(), kind, slug))


CITY_SLUG = PathParameter("Slug of a city, from the list of cities.", first_of(CITY))
CITY_PAGE_SLUG = PathParameter(
    "Slug of a registry or CMS page, or `index` for the landing page of the city.",
    lambda _: localized.LANDING,
)


@routes.get("/locale-content/city/<city_slug>/<page_slug>")
@operation(
    localized.LocalizedContent,
    localized.city_page,
    path=(CITY_SLUG, CITY_PAGE_SLUG),
    query=parameters.LOCALE,
    errors=FINDS_ONE,
    kinds=(CITY,),
)
def get_city_content(city_slug: str, page_slug: str) -> Response:
    """Get the version of a page for a city; `index` is the landing page of the city.

    The country is that of the city; `country` counts for one that the site does not have. If there
    is no version for the city, the response is the version for the country, and `cityFallback` in
    `meta` is true.
    """
    return respond(localized.city_page(parameters.view(), city_slug, page_slug))
