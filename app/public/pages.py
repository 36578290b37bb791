"""CMS pages."""

from quart import Blueprint, Response

from app import parameters
from app.responses import respond
from knowledge.resources import pages
from knowledge.resources.base import answer_in

routes = Blueprint("pages", __name__)


@routes.get("/pages")
async def list_pages() -> Response:
    """List the published CMS pages."""
    view = parameters.view()
    return respond(answer_in(view.locale, pages.page_list(view)))


@routes.get("/pages/<slug>")
async def get_page(slug: str) -> Response:
    """Get one published CMS page with its sections and SEO metadata."""
    return respond(pages.page_detail(parameters.view(), slug))
