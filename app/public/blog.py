"""The blog."""

from quart import Blueprint, Response

from app import parameters
from app.responses import respond
from app.services import services
from knowledge.resources import blog
from knowledge.resources.base import Answer

MAX_PAGE_SIZE = 24
MAX_PREVIEW = 6

routes = Blueprint("blog", __name__, url_prefix="/blog")


@routes.get("/categories")
async def list_categories() -> Response:
    """List the blog's categories."""
    view = parameters.view(by_country=False)
    return respond(Answer(blog.category_list(view), view.locale.language))


@routes.get("/posts")
async def list_posts() -> Response:
    """List or search posts, newest or best first, in pages."""
    view = parameters.view()
    search = parameters.text("search")
    query = blog.PostQuery(
        page=parameters.integer("page", default=1, low=1),
        page_size=parameters.integer("pageSize", default=9, low=1, high=MAX_PAGE_SIZE),
        category=parameters.text("category"),
        matches=services().editions.current.blog_index.search(view, search) if search else None,
    )
    return respond(Answer(blog.post_list(view, query), view.locale.language))


@routes.get("/posts/<slug>")
async def get_post(slug: str) -> Response:
    """Get one post with its neighbours and related posts."""
    return respond(blog.post_detail(parameters.view(), slug))


@routes.get("/homepage")
async def get_blog_homepage() -> Response:
    """Get the blog's preview for the home page."""
    view = parameters.view()
    limit = parameters.integer("limit", default=3, low=1, high=MAX_PREVIEW)
    return respond(Answer(blog.blog_homepage(view, limit), view.locale.language))
