"""Places: countries, cities, and the probable country and language of a client."""

from quart import Response

from app.platform.asgi.caching import Caching
from app.services import edition
from app.web.http import parameters, request_context
from app.web.http.parameters import site_snapshot
from app.web.http.responses import respond
from app.web.openapi.operation import Operations, operation
from knowledge.fields.content_types import CITY, COUNTRY
from knowledge.resources import places
from knowledge.resources.base import resource_in
from knowledge.snapshot.snapshot import NO_DOCUMENTS

countries = Operations("countries", "The country list.")
cities = Operations("cities", "The city registry.")
locales = Operations("locales", "Locale helpers: the probable country and language of a client.")


@countries.get("/countries")
@operation(places.CountryList, places.country_list, query=(parameters.LANG,), kinds=(COUNTRY,))
def list_countries() -> Response:
    """List the countries with name and currency."""
    view = parameters.view(by_country=False)
    return respond(resource_in(view.locale, places.country_list(view)))


@cities.get("/cities")
@operation(places.CityList, places.city_list, query=parameters.LOCALE, kinds=(CITY,))
def list_cities() -> Response:
    """List the cities of a country."""
    view = parameters.view()
    return respond(resource_in(view.locale, places.city_list(view)))


@locales.get("/locale-hint")
@operation(places.LocaleHint, lambda view: places.locale_hint(view.snapshot, None), errors=())
async def get_locale_hint() -> Response:
    """Get an approximate country hint from a trusted proxy's header; nothing is stored."""
    snapshot = site_snapshot() or NO_DOCUMENTS
    hint = places.locale_hint(snapshot, request_context.hinted_country())
    return respond(hint, Caching.PERSONAL)


@locales.get("/locale-routing")
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
