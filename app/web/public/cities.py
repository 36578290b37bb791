"""The city registry."""

from quart import Blueprint, Response

from app.web.http import parameters
from app.web.http.responses import respond
from app.web.openapi.operation import operation
from knowledge.fields.content_types import CITY
from knowledge.resources import places
from knowledge.resources.base import resource_in

routes = Blueprint("cities", __name__)


@routes.get("/cities")
@operation(places.CityList, places.city_list, query=parameters.LOCALE, kinds=(CITY,))
def list_cities() -> Response:
    """List the cities of a country."""
    view = parameters.view()
    return respond(resource_in(view.locale, places.city_list(view)))
