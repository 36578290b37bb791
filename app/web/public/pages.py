"""CMS pages."""

from quart import Blueprint, Response

from app.web.http import parameters
from app.web.http.responses import respond
from app.web.openapi.operation import FINDS_ONE, PathParameter, first_of, operation
from knowledge.fields.content_types import PAGE
from knowledge.resources import pages
from knowledge.resources.base import resource_in

routes = Blueprint("pages", __name__)


SLUG = PathParameter("Slug of a published page, from the list of pages.", first_of(PAGE))


@routes.get("/pages")
@operation(pages.PageList, pages.page_list, query=parameters.LOCALE)
def list_pages() -> Response:
    """List the published CMS pages."""
    view = parameters.view()
    return respond(resource_in(view.locale, pages.page_list(view)))


@routes.get("/pages/<slug>")
@operation(
    pages.PageDetail, pages.page_detail, path=(SLUG,), query=parameters.LOCALE, errors=FINDS_ONE
)
def get_page(slug: str) -> Response:
    """Get one published CMS page with its sections and SEO metadata.

    A page that is not translated is returned in the other language; see `Content-Language`.
    """
    return respond(pages.page_detail(parameters.view(), slug))
