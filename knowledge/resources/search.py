"""Search results across all public pages, with alternatives when a search finds nothing."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from knowledge import page_groups
from knowledge.addresses import Address, file_at
from knowledge.content_types import CATEGORY
from knowledge.content_view import ContentView
from knowledge.fields import Omittable
from knowledge.messages import mark as _
from knowledge.page_type import PageType
from knowledge.resources.base import Resource, resource_in, title_of
from knowledge.resources.blog import (
    CATEGORY_PAGE,
    POST_PAGE,
    BlogCategory,
    Pagination,
    category_list,
    paginate,
)
from knowledge.resources.builders import declare_page
from knowledge.resources.queries import SiteQuery
from knowledge.resources.seo import resolve_route
from knowledge.resources.summaries import summary_of

PAGE_SIZE = 10


class SearchItem(Resource):
    """One page that matches; `path` is its site path."""

    kind: str
    title: str
    summary: str
    path: str


class PopularCategory(Resource):
    """A blog category with its number of posts and its newest post."""

    name: str
    path: str
    count: int
    newest: str
    newest_path: str


class SearchResults(Resource):
    """One page of search results; if there are none, a suggested query and popular categories."""

    query: str
    items: list[SearchItem]
    pagination: Pagination
    suggestion: Omittable[str] = None
    popular: Omittable[list[PopularCategory]] = None


def search_results(view: ContentView, query: SiteQuery) -> SearchResults:
    """Return one page of results, best first; all matches must be visible in the view."""
    shown, pagination = paginate(query.matches, query.page, PAGE_SIZE)
    return SearchResults(
        query=query.text,
        items=_items(view, shown),
        pagination=pagination,
        suggestion=None if query.matches else query.suggestion,
        popular=None if query.matches else popular_categories(view) or None,
    )


def _items(view: ContentView, addresses: Iterable[Address]) -> list[SearchItem]:
    left_out = view.snapshot.left_out
    items = left_out.each(addresses, partial(_item, view), partial(file_at, view.snapshot))
    return [item for item in items if item is not None]


def _item(view: ContentView, address: Address) -> SearchItem | None:
    resolved = resolve_route(view, address)
    if resolved is None:
        return None
    return SearchItem(
        kind=resolved.entry.kind.singular,
        title=title_of(resolved),
        summary=summary_of(resolved),
        path=view.locale.path + address.path,
    )


def popular_categories(view: ContentView) -> list[PopularCategory]:
    """Return the categories that have published posts, most posts first."""
    categories = category_list(view).items
    popular = view.snapshot.left_out.each(
        categories, partial(_popular, view), lambda each: f"{CATEGORY}/{each.slug}"
    )
    return sorted((each for each in popular if each is not None), key=lambda each: -each.count)


def _popular(view: ContentView, category: BlogCategory) -> PopularCategory | None:
    index = view.snapshot.posts(view.locale)
    records = [
        record
        for record in index.by_category.get(category.slug, ())
        if record.is_published_at(view.now)
    ]
    newest = view.resolve_entry(records[0].entry) if records else None
    if newest is None:
        return None
    return PopularCategory(
        name=category.name,
        path=view.locale.path + Address(CATEGORY_PAGE, category.slug).path,
        count=len(records),
        newest=title_of(newest),
        newest_path=view.locale.path + Address(POST_PAGE, newest.entry.slug).path,
    )


SEARCH_PAGE = declare_page(
    PageType(
        name="search",
        path="/search",
        title=_("Search"),
        group=page_groups.COMPANY,
        reason="",
        is_indexed=False,
        lists_pages=True,
    ),
    lambda view, _, query: resource_in(view.locale, search_results(view, query.site)),
)
