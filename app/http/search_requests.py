"""Searching: what the query of a list asks for, answered by the edition's index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice

from app.content.store import Edition
from app.http import parameters
from app.http.parameters import Parameter
from app.services import edition
from indexes.highlights import Highlighter, highlighter
from indexes.page_text import PageText
from indexes.suggestions import Suggestions
from knowledge.addresses import Address, Page
from knowledge.content_view import ContentView
from knowledge.resources.base import title_of
from knowledge.resources.blog import PostQuery, filter_posts
from knowledge.resources.search import SiteQuery
from knowledge.resources.seo import resolve_route
from knowledge.resources.site_map import has_posts
from knowledge.resources.site_page import PageQuery

_NEAREST = 5
_READ: Mapping[Page, tuple[Parameter, ...]] = {
    Page.BLOG: parameters.POSTS,
    Page.CATEGORY: parameters.POSTS,
    Page.SEARCH: (parameters.SITE_SEARCH, parameters.PAGE),
}
"""The parameters that a list reads from its query."""


def posts(view: ContentView, category: str | None = None) -> PostQuery:
    """`page`, `pageSize`, `category` and `search` of a list; `category` is the page's own."""
    search = parameters.SEARCH.read()
    query = PostQuery(
        page=parameters.PAGE.read(),
        page_size=parameters.PAGE_SIZE.read(),
        category=category or parameters.CATEGORY.read(),
    )
    if search is None:
        return query
    return _searched(edition(), view, query, search)


def page_query(view: ContentView, address: Address) -> PageQuery:
    """What the URL of a page asks for beside its path: lists only."""
    if address.page in (Page.BLOG, Page.CATEGORY):
        search = parameters.SEARCH.read()
        category = address.slug or None
        return PageQuery(posts(view, category), search, highlights=_highlights(search))
    if address.page is Page.SEARCH:
        search = parameters.SITE_SEARCH.read()
        page = parameters.PAGE.read()
        site = SiteQuery(search or "", page)
        if search:
            site = _searched_site(edition(), view, site)
        return PageQuery(search=search, site=site, highlights=_highlights(search))
    return PageQuery()


def list_parameters(address: Address) -> tuple[Parameter, ...]:
    """What `page_query` reads."""
    return _READ.get(address.page, ())


def _searched(edition: Edition, view: ContentView, query: PostQuery, search: str) -> PostQuery:
    """The query with what the search found, and with a suggestion where that is nothing."""
    query = replace(query, matches=edition.index.posts(view, search))
    if filter_posts(view, query):
        return query

    def is_there(text: PageText) -> bool:
        is_post = text.address.page is Page.POST
        return is_post and bool(filter_posts(view, replace(query, matches=[text.address.slug])))

    return replace(query, suggestion=Suggestions(edition.index, view, is_there).instead_of(search))


def _searched_site(edition: Edition, view: ContentView, query: SiteQuery) -> SiteQuery:
    def is_there(text: PageText) -> bool:
        return _is_listed(view, text)

    found = edition.index.find(view.locale, query.text)
    matches = [text.address for text in found if is_there(text)]
    if matches:
        return replace(query, matches=matches)
    suggestions = Suggestions(edition.index, view, is_there)
    return replace(query, suggestion=suggestions.instead_of(query.text))


def _is_listed(view: ContentView, text: PageText) -> bool:
    """Whether the maps list the page for these readers at this instant."""
    if not (text.is_listed and text.is_for(view.locale.country, view.now)):
        return False
    address = text.address
    if address.page is not Page.CATEGORY:
        return True
    return has_posts(view.snapshot, address.slug, view.locale, view.now)


def nearest_pages(view: ContentView, path: str) -> Sequence[tuple[str, str]]:
    """Title and site path of the pages that a reader of a missing path may have meant."""
    found = (
        (text, resolve_route(view, text.address))
        for text in islice(edition().index.nearest(view, path), _NEAREST)
    )
    return [
        (title_of(resolved), view.locale.path + text.address.path)
        for text, resolved in found
        if resolved is not None
    ]


def _highlights(search: str | None) -> Highlighter | None:
    return highlighter(search, edition().index.vocabulary) if search else None
