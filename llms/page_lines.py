"""The lines of a locale's pages, sorted; those of pages that did not change are kept.

Without that, each edit would make the lines of all pages again, which takes seconds if there are
many. The lines of the locales that were asked for last are kept, up to a number of lines.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from operator import attrgetter
from threading import Lock
from typing import NamedTuple, TypeVar, cast

from knowledge.addresses.addresses import Address, file_at
from knowledge.fields.page_type import PageGroup
from knowledge.locales.locale import Locale
from knowledge.resources.site_map import SiteMap, SitemapEntry
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView
from llms.lines import SortKey, country_name, page_entry, page_line, site_name, sort_key

_MAX_KEPT = 250_000
_MAX_DESCRIBED_PAGES = 150
"""Descriptions are omitted if there are more pages than this, to fit more pages."""

_LOCK = Lock()
Made = TypeVar("Made")


class PageLine(NamedTuple):
    """A line, its page, and its place among the others."""

    page: SitemapEntry
    key: SortKey
    text: str


@dataclass(frozen=True, eq=False, slots=True)
class PageLines:
    """The lines of the pages of one site map in one locale."""

    site_map: SiteMap
    names: tuple[str, ...] | None
    """The names of the site and the country, which are in all lines."""

    describe: bool
    """Whether lines have descriptions."""

    lines: Sequence[PageLine]
    cache: dict[Hashable, object] = field(default_factory=dict, repr=False)

    @property
    def addresses(self) -> Iterator[Address]:
        """Iterate over the pages in the order of the lines."""
        return (line.page.address for line in self.lines)

    @property
    def groups(self) -> Iterator[tuple[PageGroup, tuple[str, ...]]]:
        """Iterate over the groups of pages, each with its lines."""
        for group, lines in groupby(self.lines, key=lambda line: line.key[0][0]):
            yield group, tuple(line.text for line in lines)

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Return what is made of the lines; made once for each key."""
        if key not in self.cache:
            self.cache[key] = make()
        return cast(Made, self.cache[key])


def kept_locales(snapshot: Snapshot, base_url: str) -> Sequence[Locale]:
    """Return the locales whose lines are kept, as they have been asked for."""
    with _LOCK:
        kept = cast("dict[tuple[Locale, str], PageLines]", snapshot.kept.get(page_lines, {}))
        return [locale for locale, url in kept if url == base_url]


_NO_LINES = PageLines(SiteMap(()), None, False, ())


def page_lines(view: ContentView, site_map: SiteMap) -> PageLines:
    """Return the lines of the pages in the view's locale; `site_map` is of its snapshot."""
    with _LOCK:
        kept = cast("dict[Hashable, PageLines]", view.snapshot.kept.setdefault(page_lines, {}))
        key = (view.locale, view.base_url)
        lines = _next(view, site_map, kept.pop(key, _NO_LINES))
        kept[key] = lines
        while len(kept) > 1 and sum(len(each.lines) for each in kept.values()) > _MAX_KEPT:
            del kept[next(iter(kept))]
    return lines


def _next(view: ContentView, site_map: SiteMap, before: PageLines) -> PageLines:
    names = (site_name(view), country_name(view))
    if before.names != names:
        before = _NO_LINES
    if before.site_map is site_map:
        return before
    pages = {id(page): page for page in site_map.pages_in(view.locale)}
    describe = len(pages) <= _MAX_DESCRIBED_PAGES
    if before.describe != describe:
        before = _NO_LINES
    kept = [line for line in before.lines if id(line.page) in pages]
    lines = [*kept, *_made(view, _without(pages, kept), describe)]
    return PageLines(site_map, names, describe, sorted(lines, key=attrgetter("key")))


def _without(pages: Mapping[int, SitemapEntry], kept: Sequence[PageLine]) -> Sequence[SitemapEntry]:
    known = {id(line.page) for line in kept}
    return [page for number, page in pages.items() if number not in known]


def _made(view: ContentView, pages: Sequence[SitemapEntry], describe: bool) -> Iterator[PageLine]:
    """Yield the lines of pages, without those whose document cannot be shown."""

    def made(page: SitemapEntry) -> PageLine:
        entry = page_entry(view, page.address)
        return PageLine(page, sort_key(entry), page_line(view, entry, describe))

    path_of = partial(file_at, view.snapshot)
    return view.snapshot.left_out.each(pages, made, lambda page: path_of(page.address))
