"""SEO metadata."""

from quart import Blueprint, Response

from app import parameters
from app.responses import respond
from knowledge.errors import InvalidArgument
from knowledge.resources import seo

routes = Blueprint("seo", __name__)


@routes.get("/seo-page")
async def get_seo_page() -> Response:
    """Get title, robots, canonical and alternates of a public site path."""
    path = parameters.text("path")
    if path is None:
        raise InvalidArgument("path", "it is missing", "a public site path such as /sa/ar/erp")
    return respond(seo.seo_page(parameters.view(by_country=False, by_language=False), path))
