"""Search across all public pages: what was found, and ways on where nothing was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from knowledge.addresses import Address, Page
from knowledge.resources.base import Maybe, Resource, title_of
from knowledge.resources.blog import Pagination, category_list, part_of
from knowledge.resources.seo import resolved_at
from knowledge.resources.summaries import summary_of
from knowledge.view import View

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
    suggestion: Maybe[str] = None
    popular: Maybe[list[PopularCategory]] = None


@dataclass(frozen=True, slots=True)
class SiteQuery:
    """What was typed, the addresses that a search found for it, and what to search instead."""

    text: str = ""
    page: int = 1
    matches: Sequence[Address] = ()
    suggestion: str | None = None


def search_results(view: View, query: SiteQuery) -> SearchResults:
    """One page of results, best first; the matches are pages that these readers have."""
    shown, pagination = part_of(query.matches, query.page, PAGE_SIZE)
    return SearchResults(
        query=query.text,
        items=[item for address in shown if (item := _item(view, address)) is not None],
        pagination=pagination,
        suggestion=None if query.matches else query.suggestion,
        popular=None if query.matches else popular_categories(view) or None,
    )


def _item(view: View, address: Address) -> SearchItem | None:
    resolved = resolved_at(view, address)
    if resolved is None:
        return None
    return SearchItem(
        kind=resolved.entry.kind.noun,
        title=title_of(resolved),
        summary=summary_of(resolved),
        path=view.locale.path + address.path,
    )


def popular_categories(view: View) -> list[PopularCategory]:
    """The categories with posts to read, those with most first, each with its newest post."""
    shelf = view.snapshot.posts(view.locale)
    found = []
    for category in category_list(view).items:
        cards = [
            card for card in shelf.by_category.get(category.slug, ()) if card.is_open(view.now)
        ]
        newest = view.resolve_entry(cards[0].entry) if cards else None
        if newest is not None:
            found.append(
                PopularCategory(
                    name=category.name,
                    path=view.locale.path + Address(Page.CATEGORY, category.slug).path,
                    count=len(cards),
                    newest=title_of(newest),
                    newest_path=view.locale.path + Address(Page.POST, newest.entry.slug).path,
                )
            )
    return sorted(found, key=lambda each: -each.count)
