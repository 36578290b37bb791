"""Search requests: reads the parameters of lists and searches the edition's index."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from app.publishing.content.passage_finder import SearchBeingPrepared, search_site
from app.publishing.content.post_index import EditionPosts
from app.services import edition
from app.web.http import parameters
from app.web.http.parameters import AnyParameter, Parameter
from app.web.http.product_requests import (
    COMPARED,
    PRODUCT_FILTERS,
    compared_products,
    product_query,
)
from app.web.http.reading import Channel
from app.web.http.searches import note_search
from indexes.blog.suggestions import Suggestions
from indexes.passages.queries import has_word
from indexes.text.highlights import Highlighter, highlighter
from knowledge.addresses.addresses import Address
from knowledge.resources.blog import AUTHOR_PAGE, CATEGORY_PAGE, TAG_PAGE, filter_posts
from knowledge.resources.product_comparison import COMPARISON_PAGE
from knowledge.resources.product_list import PRODUCTS_PAGE
from knowledge.resources.queries import PageQuery, PostQuery, SiteQuery
from knowledge.resources.search import searched_kinds
from knowledge.views.content_view import ContentView

_KINDS = searched_kinds()


def _kinds(value: str) -> tuple[str, ...]:
    kinds = tuple(kind.strip() for kind in value.split(","))
    unknown = next((kind for kind in kinds if kind not in _KINDS), None)
    if unknown is not None:
        raise ValueError(f"“{unknown}” is not supported")
    return kinds


KIND = Parameter[tuple[str, ...]](
    "kind",
    f"Kinds of pages to search, separated by commas: {', '.join(_KINDS)}. Default: all.",
    "registry,post",
    {"type": "string", "pattern": f"^({'|'.join(_KINDS)})(,({'|'.join(_KINDS)}))*$"},
    _kinds,
    (),
    "one or more of " + ", ".join(_KINDS),
)
_OF_LISTS: Mapping[str, AnyParameter] = {
    parameter.name: parameter
    for parameter in (*parameters.POSTS, *PRODUCT_FILTERS, COMPARED, parameters.SITE_SEARCH, KIND)
}
"""The query parameters of lists, which page types name."""


def posts(
    view: ContentView,
    category: str | None = None,
    tag: str | None = None,
    author: str | None = None,
) -> PostQuery:
    """Read `page`, `pageSize`, `category` and `search`; a `category` argument takes precedence."""
    search = parameters.SEARCH.read()
    query = PostQuery(
        page=parameters.PAGE.read(),
        page_size=parameters.PAGE_SIZE.read(),
        category=category or parameters.CATEGORY.read(),
        tag=tag,
        author=author,
    )
    if search is None:
        return query
    return _search_posts(edition().posts, view, query, search)


def page_query(view: ContentView, address: Address) -> PageQuery:
    """Read the query of a page; only list pages and the search page have one."""
    read = list_parameters(address)
    if parameters.SITE_SEARCH in read:
        return _site_query(view)
    if address.page is PRODUCTS_PAGE:
        return PageQuery(products=product_query(view))
    if address.page is COMPARISON_PAGE:
        return PageQuery(compared=compared_products())
    if parameters.SEARCH not in read:
        return PageQuery()
    search = parameters.SEARCH.read()
    category = address.slug if address.page is CATEGORY_PAGE else None
    tag = address.slug if address.page is TAG_PAGE else None
    author = address.slug if address.page is AUTHOR_PAGE else None
    return PageQuery(
        search=search, posts=posts(view, category, tag, author), highlights=_highlights(search)
    )


def list_parameters(address: Address) -> tuple[AnyParameter, ...]:
    """Return the parameters that `page_query` reads for a page."""
    return tuple(_OF_LISTS[name] for name in address.page.parameters)


def _site_query(view: ContentView) -> PageQuery:
    """Search the site; a query of signs only is none."""
    search = parameters.SITE_SEARCH.read() or ""
    has_query = has_word(search)
    query = SiteQuery(search if has_query else "", parameters.PAGE.read(), KIND.read())
    if not has_query:
        return PageQuery(site=query)
    result = search_site(edition().passages, view, query)
    if query.page == 1 and result.site and result.site.found:
        note_search(Channel.SITE, search, result.site.found.total)
    return result


def _search_posts(
    posts: EditionPosts | None, view: ContentView, query: PostQuery, search: str
) -> PostQuery:
    """Return the query with the posts that match the most words, or else with a suggestion.

    Raises SearchBeingPrepared without an index.
    """
    if posts is None:
        raise SearchBeingPrepared
    query = replace(query, matches=())
    for slugs in posts.closest(view.locale, search):
        if found := filter_posts(view, replace(query, matches=slugs)):
            _note_first(query, search, len(found))
            return replace(query, matches=slugs, found=found)
    _note_first(query, search, 0)

    def is_match(slug: str) -> bool:
        return posts.is_unchanged(slug) and bool(filter_posts(view, replace(query, matches=[slug])))

    suggestions = Suggestions(posts.found_in, view, is_match)
    return replace(query, suggestion=suggestions.instead_of(search))


def _note_first(query: PostQuery, search: str, hits: int) -> None:
    """Note a search of the blog, once for all pages of what it finds."""
    if query.page == 1:
        note_search(Channel.BLOG, search, hits)


def _highlights(search: str | None) -> Highlighter | None:
    return highlighter(search, edition().vocabulary) if search else None
