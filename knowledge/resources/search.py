"""Search across all public pages: what was found, and ways on where nothing was."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from knowledge.addresses import Address, Page, file_at
from knowledge.content_path import ContentType
from knowledge.content_view import ContentView
from knowledge.resources.base import Omittable, Resource, title_of
from knowledge.resources.blog import BlogCategory, Pagination, category_list, paginate
from knowledge.resources.seo import resolve_route
from knowledge.resources.summaries import summary_of

PAGE_SIZE = 10


class SearchItem(Resource):
    """One page that was found; `path` is its site path."""

    kind: str
    title: str
    summary: str
    path: str


class PopularCategory(Resource):
    """A category of the blog, how many posts it has, and its newest one."""

    name: str
    path: str
    count: int
    newest: str
    newest_path: str


class SearchResults(Resource):
    """One page of what was found; where it is nothing, another search and what is popular."""

    query: str
    items: list[SearchItem]
    pagination: Pagination
    suggestion: Omittable[str] = None
    popular: Omittable[list[PopularCategory]] = None


@dataclass(frozen=True, slots=True)
class SiteQuery:
    """What was typed, the addresses that a search found for it, and what to search instead."""

    text: str = ""
    page: int = 1
    matches: Sequence[Address] = ()
    suggestion: str | None = None


def search_results(view: ContentView, query: SiteQuery) -> SearchResults:
    """One page of results, best first; the matches are pages that these readers have."""
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
    found = left_out.each(addresses, partial(_item, view), partial(file_at, view.snapshot))
    return [item for item in found if item is not None]


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
    """The categories with posts to read, those with most first, each with its newest post."""
    categories = category_list(view).items
    found = view.snapshot.left_out.each(
        categories, partial(_popular, view), lambda each: f"{ContentType.CATEGORY}/{each.slug}"
    )
    return sorted((each for each in found if each is not None), key=lambda each: -each.count)


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
        path=view.locale.path + Address(Page.CATEGORY, category.slug).path,
        count=len(records),
        newest=title_of(newest),
        newest_path=view.locale.path + Address(Page.POST, newest.entry.slug).path,
    )
