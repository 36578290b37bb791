"""The tool `list_pages`: the published pages of a locale, in parts.

A cursor names the last page of a part and the filters of the list. Pages are in the order of their
types and slugs, so a cursor stays right when pages are added or removed, even its own.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time
from functools import lru_cache, partial
from typing import Annotated, NamedTuple, Self, cast

from pydantic import BaseModel, BeforeValidator, Field, WithJsonSchema

from app.features.mcp.pages import FoundPage, PageId
from app.features.mcp.tool import Tool, ToolContext, ToolError, VisitorArguments
from app.platform.clock import parse_instant
from knowledge.addresses.addresses import Address, entry_at, file_at, parse_address
from knowledge.documents.body import one_line
from knowledge.fields.content_types import KIND, SITE
from knowledge.fields.field_types import Omittable
from knowledge.fields.page_type import PageType, PageTypes
from knowledge.markdown.inline import plain_text
from knowledge.markdown.tokens import estimate_tokens
from knowledge.resources.seo import description_of
from knowledge.resources.site_map import site_map
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView
from llms.page_lines import page_entry
from renderers.l10n.formats import timestamp
from renderers.markdown.renderer import page_text

_MAX_TITLE = 200
_MAX_SUMMARY = 160
_MAX_SITES = 4
_MAX_TOKENS = 16_000
"""A list that would be longer ends before; clients refuse answers of more than 25,000 tokens.

Encoded Arabic URLs have a fifth more tokens than is estimated."""

PageOrder = tuple[int, str, str]


@lru_cache(_MAX_SITES)
def _ranks(pages: PageTypes) -> Mapping[PageType, int]:
    return {page: rank for rank, page in enumerate(pages.listed)}


def page_order(snapshot: Snapshot, address: Address) -> PageOrder:
    """Return the place of a page in lists, which depends on its address and the site's types."""
    return _ranks(snapshot.page_types)[address.page], address.slug, address.city


def _instant(value: object) -> object:
    if not isinstance(value, str):
        return value
    instant = parse_instant(value)
    return instant or datetime.combine(date.fromisoformat(value), time(), UTC)


class PageFilters(VisitorArguments):
    """The filters of a list."""

    updated_since: Annotated[
        datetime | None,
        BeforeValidator(_instant),
        WithJsonSchema({"type": "string", "description": "A date or RFC 3339 date-time"}),
    ] = None


class PageListArguments(PageFilters):
    """The filters of a list, its length and where it goes on."""

    cursor: Annotated[str | None, Field(description="The next_cursor of the last call")] = None
    limit: Annotated[int, Field(ge=1, le=100)] = 50

    @property
    def position(self) -> PageCursor:
        """The filters, those of the cursor where none are given; raises ToolError."""
        if self.cursor is None:
            return PageCursor(**self._filters)
        return PageCursor.parse(self.cursor).model_copy(update=self._filters)

    @property
    def _filters(self) -> dict[str, object]:
        return self.model_dump(include=set(PageFilters.model_fields), exclude_none=True)


_UNKNOWN_CURSOR = (
    "cursor: it is not one of this tool. Send next_cursor as list_pages returned it, or no cursor"
    " to begin anew."
)


class PageCursor(PageFilters):
    """The filters of a list, and the path of its last page below the locale."""

    after: str | None = None

    def __str__(self) -> str:
        """Return the cursor as clients send it."""
        content = self.model_dump_json(exclude_none=True).encode()
        return urlsafe_b64encode(content).decode().rstrip("=")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a cursor; raises ToolError."""
        try:
            cursor = cls.model_validate_json(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        except ValueError as error:
            raise ToolError(_UNKNOWN_CURSOR) from error
        if cursor.after is None:
            raise ToolError(_UNKNOWN_CURSOR)
        return cursor

    def start(self, snapshot: Snapshot) -> PageOrder | None:
        """Return the place after which the list goes on, None at its beginning."""
        address = None if self.after is None else parse_address(self.after, snapshot)
        is_listed = address is not None and address.page.is_indexed
        return page_order(snapshot, address) if address and is_listed else None


class ListedPage(BaseModel):
    """A page; `tokens` is the length of its text, `updated` the author's date of change."""

    id: str
    title: str
    url: str
    summary: Omittable[str] = None
    updated: Omittable[str] = None
    tokens: int


class PageList(BaseModel):
    """A part of the list; without `next_cursor` it is the last one."""

    pages: list[ListedPage]
    next_cursor: Omittable[str] = None


class _Listed(NamedTuple):
    """A page of the site map in one locale, with the author's date of change."""

    address: Address
    updated_at: datetime | None


def _list(context: ToolContext, arguments: PageListArguments) -> PageList:
    position = arguments.position
    view = position.view(context)
    rest = _rest(view, position)
    asked = rest[: arguments.limit]
    pages = view.snapshot.left_out.each(
        asked, partial(_page, view), lambda listed: file_at(view.snapshot, listed.address)
    )
    shown = list(_fitting(pages))
    is_cut = shown and len(shown) < len(asked)
    last = shown[-1][0] if is_cut else asked[-1] if asked else None
    has_more = last is not None and last is not rest[-1]
    return PageList(
        pages=[page for _, page in shown],
        next_cursor=str(_after(view, position, last)) if last and has_more else None,
    )


def _rest(view: ContentView, position: PageCursor) -> Sequence[_Listed]:
    """Return the pages that the filters allow, in order, from the cursor on."""
    start, since = position.start(view.snapshot), position.updated_since
    if start is None and position.after is not None:
        raise ToolError(_UNKNOWN_CURSOR)
    listed = (
        _Listed(entry.address, updated_at)
        for entry in site_map(view.snapshot, view.now).pages
        for locale, updated_at in entry.variants
        if locale == view.locale
    )
    allowed = (
        each
        for each in listed
        if (start is None or page_order(view.snapshot, each.address) > start)
        and (since is None or (each.updated_at is not None and each.updated_at >= since))
        and position.kind in (None, _kind(view, each.address))
    )
    return sorted(allowed, key=lambda each: page_order(view.snapshot, each.address))


def _kind(view: ContentView, address: Address) -> str:
    entry = entry_at(view.snapshot, address)
    return (entry.kind if entry and entry.kind != KIND else SITE).singular


def _page(view: ContentView, listed: _Listed) -> tuple[_Listed, ListedPage]:
    address = listed.address
    page_id = PageId(view.locale.path + address.path)
    entry = page_entry(view, address)
    summary = one_line(plain_text(description_of(entry.resolved) or ""), _MAX_SUMMARY)
    updated_at = listed.updated_at
    return listed, ListedPage(
        id=str(page_id),
        title=one_line(entry.title, _MAX_TITLE),
        url=view.absolute(page_id.path),
        summary=summary or None,
        updated=timestamp(updated_at, view.locale) if updated_at else None,
        tokens=_tokens(view, address),
    )


def _tokens(view: ContentView, address: Address) -> int:
    """Return the length of a page's text, which is rendered once for all lists."""
    counted = _counted(view)
    if address not in counted:
        page = FoundPage(view, address, PageId(view.locale.path + address.path))
        counted[address] = estimate_tokens(page_text(page.model))
    return counted[address]


def _counted(view: ContentView) -> dict[Address, int]:
    """Return the lengths that are known; `_tokens` adds to them."""
    key = (_counted, view.locale, view.snapshot.schedule.next_after(view.now))
    return cast("dict[Address, int]", view.snapshot.cache.setdefault(key, {}))


def _fitting(pages: Iterable[tuple[_Listed, ListedPage]]) -> Iterator[tuple[_Listed, ListedPage]]:
    left = _MAX_TOKENS
    for listed, page in pages:
        left -= estimate_tokens(page.model_dump_json())
        if left < 0:
            break
        yield listed, page


def _after(view: ContentView, position: PageCursor, last: _Listed) -> PageCursor:
    """Return the cursor of the pages after the last one, in the same locale."""
    locale = view.locale
    here = {"country": locale.country and locale.country.slug, "lang": str(locale.language)}
    return position.model_copy(update={**here, "after": last.address.path})


LIST_PAGES = Tool(
    name="list_pages",
    title="List the pages",
    description=(
        "Lists the published pages of a country and language with their titles and summaries. The"
        " ids are for fetch."
    ),
    use="For an overview of what {site} publishes: {parts}.",
    arguments=PageListArguments,
    result=PageList,
    call=_list,
)
