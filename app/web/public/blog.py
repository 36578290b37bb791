"""The blog."""

from quart import Blueprint, Response

from app.web.http import parameters, search_requests
from app.web.http.responses import respond
from app.web.openapi.operation import FINDS_ONE, PathParameter, first_of, operation
from knowledge.fields.content_types import CATEGORY, POST
from knowledge.resources import blog, posts
from knowledge.resources.base import resource_in
from knowledge.resources.queries import PostQuery

routes = Blueprint("blog", __name__, url_prefix="/blog")


SLUG = PathParameter("Slug of a published post, from the list of posts.", first_of(POST))


@routes.get("/categories")
@operation(
    blog.BlogCategoryList, blog.category_list, query=(parameters.LANG,), kinds=(POST, CATEGORY)
)
def list_categories() -> Response:
    """List the blog's categories."""
    view = parameters.view(by_country=False)
    return respond(resource_in(view.locale, blog.category_list(view)))


@routes.get("/posts")
@operation(
    blog.PostList,
    lambda view: blog.post_list(view, PostQuery(page_size=2)),
    query=(*parameters.LOCALE, *parameters.POSTS),
    kinds=(POST, CATEGORY),
)
def list_posts() -> Response:
    """List posts by date, or search them by relevance, in pages.

    Only posts in the requested language are listed. A search finds posts whose title or excerpt
    has every word of the query, in any spelling or inflection, or as part of a word; words that
    only ask, such as `how`, do not count. If no post has all words, those with most of them are
    found. If nothing matches, `suggestion` is another query that has results. A page after the
    last one has no items and the correct totals.
    """
    view = parameters.view()
    return respond(resource_in(view.locale, blog.post_list(view, search_requests.posts(view))))


@routes.get("/posts/<slug>")
@operation(
    posts.PostDetail,
    posts.post_detail,
    path=(SLUG,),
    query=parameters.LOCALE,
    errors=FINDS_ONE,
    kinds=(POST, CATEGORY),
)
def get_post(slug: str) -> Response:
    """Get one post with the previous, next and related posts.

    `prev` is the next older post and `next` the next newer one, or null if there is none.
    The texts of `body`, joined by blank lines, are the post in CommonMark.
    """
    return respond(posts.post_detail(parameters.view(), slug))


@routes.get("/homepage")
@operation(
    blog.BlogHomepage,
    lambda view: blog.blog_homepage(view, parameters.LIMIT.default),
    query=(*parameters.LOCALE, parameters.LIMIT),
    kinds=(POST, CATEGORY),
)
def get_blog_homepage() -> Response:
    """Get the blog preview for the home page.

    The newest post is in `featured`, in addition to the `limit` posts in `items`.
    """
    view = parameters.view()
    return respond(resource_in(view.locale, blog.blog_homepage(view, parameters.LIMIT.read())))
