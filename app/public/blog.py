"""The blog."""

from quart import Blueprint, Response

from app import parameters
from app.responses import respond
from knowledge.resources import blog
from knowledge.resources.base import answer_in

routes = Blueprint("blog", __name__, url_prefix="/blog")


@routes.get("/categories")
async def list_categories() -> Response:
    """List the blog's categories."""
    view = parameters.view(by_country=False)
    return respond(answer_in(view.locale, blog.category_list(view)))


@routes.get("/posts")
async def list_posts() -> Response:
    """List or search posts, newest or best first, in pages."""
    view = parameters.view()
    return respond(answer_in(view.locale, blog.post_list(view, parameters.posts(view))))


@routes.get("/posts/<slug>")
async def get_post(slug: str) -> Response:
    """Get one post with its neighbours and related posts."""
    return respond(blog.post_detail(parameters.view(), slug))


@routes.get("/homepage")
async def get_blog_homepage() -> Response:
    """Get the blog's preview for the home page."""
    view = parameters.view()
    return respond(answer_in(view.locale, blog.blog_homepage(view, parameters.LIMIT.read())))
