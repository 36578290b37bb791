"""The country list."""

from quart import Blueprint, Response

from app.web.http import parameters
from app.web.http.responses import respond
from app.web.openapi.operation import operation
from knowledge.fields.content_types import COUNTRY
from knowledge.resources import places
from knowledge.resources.base import resource_in

routes = Blueprint("countries", __name__)


@routes.get("/countries")
@operation(places.CountryList, places.country_list, query=(parameters.LANG,), kinds=(COUNTRY,))
def list_countries() -> Response:
    """List the countries with name and currency."""
    view = parameters.view(by_country=False)
    return respond(resource_in(view.locale, places.country_list(view)))
