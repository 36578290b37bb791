"""The change feed: recorded changes, and the ETags of their pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Annotated

from app.features.changes.log import Cursor, LogHead
from app.features.changes.model import Change, ChangePage, ChangeType, RecordedChange
from knowledge.addresses.addresses import (
    LocalizedAddress,
    localized_addresses,
    page_of,
    parse_address,
    split_locale,
)
from knowledge.fields.content_types import POST
from knowledge.fields.field_types import Omittable, enum_schema
from knowledge.resources.base import Resource
from knowledge.resources.errors import MajlisError
from knowledge.resources.queries import PageQuery
from knowledge.resources.site_page import site_page
from knowledge.snapshot.snapshot import NO_DOCUMENTS, Snapshot
from knowledge.views.content_view import ContentView
from renderers.page_rendering import page_renderers
from renderers.representation import MediaType

MAX_RENDERED = 50
"""How many pages are rendered for one response, which takes 0.1 s; with more it ends early."""


class PageChange(Resource):
    """What happened to a page, and when; `path` is its site path with the locale.

    `etag` is that of its markdown now, at `<path>.md`, as a request without compression gets it.
    It is omitted for a page that is gone. `to` is where a page has moved; the ETag is then of that
    page.
    """

    path: str
    """Site path of the page, with its locale."""
    kind: str
    """Content type of the page."""
    change: Annotated[str, enum_schema(ChangeType)]
    """What happened to the page."""
    at: datetime
    """When it happened."""
    etag: Omittable[str] = None
    """Entity tag of the page's markdown now, at `<path>.md`; omitted for a page that is gone."""
    to: Omittable[str] = None
    """Site path to which the page has moved."""


class ChangeList(Resource):
    """Changes in the order in which they were recorded; send `cursor` as `since` to go on.

    If `more` is true, more of them are there already.
    """

    items: list[PageChange]
    """The changes; the oldest is first."""
    cursor: str
    """What to send as `since` in the next request."""
    more: bool
    """Whether there are more changes already."""

    def listed_pages(self, view: ContentView) -> Iterable[LocalizedAddress]:
        """Return the pages that changed, each where it is now."""
        paths = (each.to or each.path for each in self.items)
        return localized_addresses(paths, view.snapshot)


class ChangeFeed:
    """Describes recorded changes; blocks while it renders pages for their ETags."""

    def __init__(self, tags: MarkdownTags) -> None:
        self._tags = tags

    def after(self, page: ChangePage, log: str, snapshot: Snapshot, now: datetime) -> ChangeList:
        """Return the changes after a cursor, up to as many as may be rendered."""
        items = self._fitting(page.items, snapshot, now)
        is_cut = len(items) < len(page.items)
        cursor = Cursor(log, items[-1].number if is_cut else page.cursor)
        return self._listed(items, cursor, snapshot, now, more=page.more or is_cut)

    def newest(
        self, newest: Sequence[RecordedChange], head: LogHead, snapshot: Snapshot, now: datetime
    ) -> ChangeList:
        """Return the newest changes, and the cursor at the end of the log."""
        items = self._fitting(newest[::-1], snapshot, now)[::-1]
        last = max(head.last, items[-1].number if items else 0)
        return self._listed(items, Cursor(head.log, last), snapshot, now, more=False)

    def _listed(
        self,
        items: Iterable[RecordedChange],
        cursor: Cursor,
        snapshot: Snapshot,
        now: datetime,
        *,
        more: bool,
    ) -> ChangeList:
        listed = [self._described(item.change, snapshot, now) for item in items]
        return ChangeList(items=listed, cursor=str(cursor), more=more)

    def _fitting(
        self, recorded: Iterable[RecordedChange], snapshot: Snapshot, now: datetime
    ) -> Sequence[RecordedChange]:
        """Return the first changes for which not too many pages must be rendered."""
        fitting: list[RecordedChange] = []
        rendered: set[str] = set()
        for each in recorded:
            page = _page(each.change)
            if page and not self._tags.is_cached(snapshot, now, page):
                rendered.add(page)
            if len(rendered) > MAX_RENDERED:
                break
            fitting.append(each)
        return fitting

    def _described(self, change: Change, snapshot: Snapshot, now: datetime) -> PageChange:
        page = _page(change)
        return PageChange(
            path=change.path,
            kind=change.kind,
            change=change.change,
            at=change.at,
            etag=self._tags.tag(snapshot, now, page) if page else None,
            to=change.moved_to,
        )


def _page(change: Change) -> str | None:
    """Return the path of the page that is there after a change."""
    return None if change.change is ChangeType.GONE else change.moved_to or change.path


def example(view: ContentView) -> ChangeList:
    """Return an example: a post that was published, at a fixed time."""
    slug = next(iter(view.snapshot.entries.get(POST, {})), "stock-counts")
    change = PageChange(
        path=view.locale.path + page_of(POST, slug, view.snapshot).path,
        kind=POST.singular,
        change=ChangeType.PUBLISHED,
        at=datetime(2026, 1, 1, 12, tzinfo=UTC),
        etag='"4f1d0c8e7a6b5d3e2f190817"',
    )
    return ChangeList(items=[change], cursor=str(Cursor("0a1b2c3d", 152)), more=False)


_MAX_CACHED = 4_096
"""The number of pages whose ETags are cached until the content changes, of about 200 bytes each."""


class MarkdownTags:
    """Renders pages for their ETags, and keeps those of one snapshot; usable in any thread."""

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url
        self._snapshot: Snapshot = NO_DOCUMENTS
        self._since: datetime | None = None
        self._tags: dict[str, str | None] = {}

    def is_cached(self, snapshot: Snapshot, now: datetime, path: str) -> bool:
        """Return whether a page need not be rendered again."""
        return path in self._cached(snapshot, now)

    def tag(self, snapshot: Snapshot, now: datetime, path: str) -> str | None:
        """Return the ETag of the page at a site path, as in the header; None without a page."""
        cached = self._cached(snapshot, now)
        if path in cached:
            return cached[path]
        render = partial(self._rendered, snapshot, now)
        tag = next(snapshot.left_out.each((path,), render, str), None)
        if len(cached) < _MAX_CACHED:
            cached[path] = tag
        return tag

    def _cached(self, snapshot: Snapshot, now: datetime) -> dict[str, str | None]:
        """Return the tags of a snapshot, until something scheduled changes it."""
        since = snapshot.last_change_at(now)
        if snapshot is not self._snapshot or since != self._since:
            self._snapshot, self._since, self._tags = snapshot, since, {}
        return self._tags

    def _rendered(self, snapshot: Snapshot, now: datetime, path: str) -> str | None:
        locale, below = split_locale(path)
        address = parse_address(below, snapshot)
        if locale is None or address is None:
            return None
        view = ContentView(snapshot, locale, now, self._base_url)
        try:
            page = site_page(view, address, PageQuery())
        except MajlisError:  # it is gone
            return None
        return f'"{page_renderers()[MediaType.MARKDOWN](page).tag}"'
