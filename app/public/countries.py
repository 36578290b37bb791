"""The country list."""

from quart import Blueprint, Response

from app import parameters
from app.responses import respond
from knowledge.resources import countries
from knowledge.resources.base import Answer

routes = Blueprint("countries", __name__)


@routes.get("/countries")
async def list_countries() -> Response:
    """List the six countries with name and currency."""
    view = parameters.view(by_country=False)
    return respond(Answer(countries.country_list(view), view.locale.language))
