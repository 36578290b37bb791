"""Search requests: reads the parameters of lists and searches the edition's index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice

from app.content.store import Edition
from app.http import parameters
from app.http.parameters import AnyParameter
from app.services import edition
from indexes.highlights import Highlighter, highlighter
from indexes.page_text import PageText
from indexes.suggestions import Suggestions
from knowledge.addresses import Address
from knowledge.content_view import ContentView
from knowledge.page_type import PageType
from knowledge.resources.base import title_of
from knowledge.resources.blog import (
    BLOG_PAGE,
    CATEGORY_PAGE,
    POST_PAGE,
    TAG_PAGE,
    filter_posts,
)
from knowledge.resources.queries import PageQuery, PostQuery, SiteQuery
from knowledge.resources.search import SEARCH_PAGE
from knowledge.resources.seo import resolve_route
from knowledge.resources.site_map import has_posts

_MAX_NEAREST = 5
_READ: Mapping[PageType, tuple[AnyParameter, ...]] = {
    BLOG_PAGE: parameters.POSTS,
    CATEGORY_PAGE: parameters.POSTS,
    TAG_PAGE: parameters.POSTS,
    SEARCH_PAGE: (parameters.SITE_SEARCH, parameters.PAGE),
}
"""The query parameters that a list page reads."""


def posts(view: ContentView, category: str | None = None, tag: str | None = None) -> PostQuery:
    """Read `page`, `pageSize`, `category` and `search`; a `category` argument takes precedence."""
    search = parameters.SEARCH.read()
    query = PostQuery(
        page=parameters.PAGE.read(),
        page_size=parameters.PAGE_SIZE.read(),
        category=category or parameters.CATEGORY.read(),
        tag=tag,
    )
    if search is None:
        return query
    return _search_posts(edition(), view, query, search)


def page_query(view: ContentView, address: Address) -> PageQuery:
    """Read the query of a page; only list pages and the search page have one."""
    if address.page in (BLOG_PAGE, CATEGORY_PAGE, TAG_PAGE):
        search = parameters.SEARCH.read()
        category = address.slug if address.page is CATEGORY_PAGE else None
        tag = address.slug if address.page is TAG_PAGE else None
        return PageQuery(posts(view, category, tag), search, highlights=_highlights(search))
    if address.page is SEARCH_PAGE:
        search = parameters.SITE_SEARCH.read()
        page = parameters.PAGE.read()
        site = SiteQuery(search or "", page)
        if search:
            site = _search_site(edition(), view, site)
        return PageQuery(search=search, site=site, highlights=_highlights(search))
    return PageQuery()


def list_parameters(address: Address) -> tuple[AnyParameter, ...]:
    """Return the parameters that `page_query` reads for a page."""
    return _READ.get(address.page, ())


def _search_posts(edition: Edition, view: ContentView, query: PostQuery, search: str) -> PostQuery:
    """Return the query with the posts that match the most words, or else with a suggestion."""
    query = replace(query, matches=())
    for slugs in edition.index.closest_posts(view, search):
        found = replace(query, matches=slugs)
        if filter_posts(view, found):
            return found

    def is_match(text: PageText) -> bool:
        is_post = text.address.page is POST_PAGE
        return is_post and bool(filter_posts(view, replace(query, matches=[text.address.slug])))

    return replace(query, suggestion=Suggestions(edition.index, view, is_match).instead_of(search))


def _search_site(edition: Edition, view: ContentView, query: SiteQuery) -> SiteQuery:
    def is_match(text: PageText) -> bool:
        return _is_listed(view, text)

    for texts in edition.index.closest(view.locale, query.text):
        if matches := [text.address for text in texts if is_match(text)]:
            return replace(query, matches=matches)
    suggestions = Suggestions(edition.index, view, is_match)
    return replace(query, suggestion=suggestions.instead_of(query.text))


def _is_listed(view: ContentView, text: PageText) -> bool:
    """Return whether the sitemap lists the page in this locale at this time."""
    if not (text.is_listed and text.is_for(view.locale.country, view.now)):
        return False
    return has_posts(view.snapshot, text.address, view.locale, view.now)


def nearest_pages(view: ContentView, path: str) -> Sequence[tuple[str, str]]:
    """Return title and site path of the pages most similar to a path that does not exist."""
    pages = (
        (text, resolve_route(view, text.address))
        for text in islice(edition().index.nearest(view, path), _MAX_NEAREST)
    )
    return [
        (title_of(resolved), view.locale.path + text.address.path)
        for text, resolved in pages
        if resolved is not None
    ]


def _highlights(search: str | None) -> Highlighter | None:
    return highlighter(search, edition().index.vocabulary) if search else None
