"""Search results across all public pages, with alternatives when a search finds nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, partial
from itertools import chain

from knowledge.addresses.addresses import Address
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.content_types import CATEGORY, POST
from knowledge.fields.field_types import Omittable
from knowledge.fields.page_type import PAGE_TYPES, PageGroup, PageType
from knowledge.resources import queries
from knowledge.resources.answers import AnswerSection, section_of
from knowledge.resources.base import Resource, Uri, resource_in, title_of
from knowledge.resources.blog import (
    CATEGORY_PAGE,
    POST_PAGE,
    BlogCategory,
    Pagination,
    category_list,
    paginate,
)
from knowledge.resources.passages import Passage, Spans, excerpt
from knowledge.resources.queries import SiteQuery, declare_page
from knowledge.views.content_view import ContentView

PAGE_SIZE = 10


class SearchItem(Resource):
    """One page that matches: its best passage.

    `path` is its site path, `url` leads to the section of the passage, and `summary` is the
    sentence that answers.
    """

    kind: str
    title: str
    summary: str
    path: str
    section: AnswerSection
    url: Uri


class SearchFilter(Resource):
    """Kinds of pages by which results can be filtered, separated by commas.

    `count` is the number of results, if it is known.
    """

    kind: str
    count: Omittable[int] = None


class PopularCategory(Resource):
    """A blog category with its number of posts and its newest post."""

    name: str
    path: str
    count: int
    newest: str
    newest_path: str


class SearchResults(Resource):
    """One page of search results; if there are none, a suggested query and popular categories.

    `truncated` says that more pages match than the best ones in this list. The suggestion of a
    query with results is its spelling as it was searched.
    """

    query: str
    items: list[SearchItem]
    pagination: Pagination
    kind: Omittable[str] = None
    filters: list[SearchFilter]
    truncated: bool
    suggestion: Omittable[str] = None
    popular: Omittable[list[PopularCategory]] = None


def search_results(view: ContentView, query: SiteQuery, spans: Spans | None) -> SearchResults:
    """Return one page of search results, best first; `spans` finds the words of the query."""
    found, total = query.found, query.found.total
    return SearchResults(
        query=query.text,
        items=[_item(view, passage, spans or _no_spans) for passage in found.shown],
        pagination=paginate(range(total), query.page, PAGE_SIZE)[1],
        kind=",".join(query.kinds) or None,
        filters=list(_filters(query)) if query.text else [],
        truncated=not found.is_complete,
        suggestion=found.suggestion,
        popular=None if total else popular_categories(view) or None,
    )


def _no_spans(_: str) -> tuple[()]:
    return ()


def _item(view: ContentView, passage: Passage, spans: Spans) -> SearchItem:
    page = passage.page
    return SearchItem(
        kind=page.kind.singular,
        title=page.title,
        summary=excerpt(passage.text, spans),
        path=page.path,
        section=section_of(passage),
        url=view.absolute(f"{page.path}#{passage.anchor}"),
    )


def _filters(query: SiteQuery) -> Iterator[SearchFilter]:
    """Yield the filters that have results, and the one in use; all, if there may be more."""
    for kinds in kinds_by_group().values():
        count = sum(query.found.counts.get(kind, 0) for kind in kinds)
        if count or kinds == query.kinds or not query.found.is_complete:
            shown = count if query.found.is_complete else None
            yield SearchFilter(kind=",".join(kinds), count=shown)


@cache
def kinds_by_group() -> Mapping[PageGroup, tuple[str, ...]]:
    """Return the kinds of pages by which readers filter: those of each group of page types."""
    groups: dict[str, PageGroup] = {}
    for page in PAGE_TYPES.listed:
        for kind in page.content_types:
            groups.setdefault(kind.singular, page.group)
    return {
        group: tuple(kind for kind in groups if groups[kind] == group)
        for group in sorted({*groups.values()})
    }


@cache
def searched_kinds() -> tuple[str, ...]:
    """Return the kinds of all pages, by name."""
    return tuple(sorted(chain.from_iterable(kinds_by_group().values())))


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
        for record in index.of_term(CATEGORY, category.slug)
        if record.is_published_at(view.now)
    ]
    newest = view.resolve(POST, records[0].slug) if records else None
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
        group=queries.COMPANY,
        reason="",
        is_indexed=False,
        lists_pages=True,
        parameters=("q", "kind", "page"),
        schema_type="SearchResultsPage",
    ),
    lambda view, _, query: resource_in(
        view.locale, search_results(view, query.site, query.highlights)
    ),
)
