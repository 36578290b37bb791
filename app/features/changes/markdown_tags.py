"""The ETags of pages in markdown: what a GET of `<path>.md` answers now, without compression."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from knowledge.addresses.addresses import parse_address, split_locale
from knowledge.resources.errors import MajlisError
from knowledge.resources.queries import PageQuery
from knowledge.resources.site_page import site_page
from knowledge.snapshot.snapshot import NO_DOCUMENTS, Snapshot
from knowledge.views.content_view import ContentView
from renderers.representation import MediaType
from renderers.representations import PAGE_RENDERERS

_MAX_KEPT = 4_096
"""The number of pages whose ETags are kept until the content changes, of about 200 bytes each."""


class MarkdownTags:
    """Renders pages for their ETags, and keeps those of one snapshot; usable in any thread."""

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url
        self._snapshot: Snapshot = NO_DOCUMENTS
        self._since: datetime | None = None
        self._tags: dict[str, str | None] = {}

    def is_kept(self, snapshot: Snapshot, now: datetime, path: str) -> bool:
        """Return whether a page need not be rendered again."""
        return path in self._kept(snapshot, now)

    def tag(self, snapshot: Snapshot, now: datetime, path: str) -> str | None:
        """Return the ETag of the page at a site path, as in the header; None without a page."""
        kept = self._kept(snapshot, now)
        if path in kept:
            return kept[path]
        made = partial(self._made, snapshot, now)
        tag = next(snapshot.left_out.each((path,), made, str), None)
        if len(kept) < _MAX_KEPT:
            kept[path] = tag
        return tag

    def _kept(self, snapshot: Snapshot, now: datetime) -> dict[str, str | None]:
        """Return the tags of a snapshot, until something scheduled changes it."""
        since = snapshot.last_change_at(now)
        if snapshot is not self._snapshot or since != self._since:
            self._snapshot, self._since, self._tags = snapshot, since, {}
        return self._tags

    def _made(self, snapshot: Snapshot, now: datetime, path: str) -> str | None:
        locale, below = split_locale(path)
        address = parse_address(below)
        if locale is None or address is None:
            return None
        view = ContentView(snapshot, locale, now, self._base_url)
        try:
            page = site_page(view, address, PageQuery())
        except MajlisError:  # it is gone
            return None
        return f'"{PAGE_RENDERERS[MediaType.MARKDOWN](page).tag}"'
