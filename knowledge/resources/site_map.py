"""The site map: the single table of all public pages that are listed at a point in time.

sitemap.xml, llms.txt, robots.txt and hreflang all use it. A page is listed in each locale whose
language it is published in, unless its front matter sets `noIndex` or a `canonicalUrl`. Of a
paginated list, only the first page is listed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache, partial
from threading import Lock
from typing import NamedTuple, TypeVar, cast

from knowledge.addresses.addresses import Address, LocalizedAddress, file_at, page_of
from knowledge.edits import EDITION, changed_keys, note, recording
from knowledge.fields.content_types import AnyContentType
from knowledge.fields.page_type import PageType
from knowledge.locales.locale import Language, Locale, Locales, OtherLanguage
from knowledge.resources.listing import (
    hreflangs,
    is_reachable,
    listed_resolutions,
    private_paths,
)
from knowledge.snapshot.layer_resolution import Entry
from knowledge.snapshot.snapshot import Snapshot


class BuiltinPage(NamedTuple):
    """The path, title, description and summary of a built-in page, in its language.

    The summary is CommonMark, by which a search finds the page.
    """

    path: str
    title: str
    description: str
    summary: str
    language: Language = Language.EN


DEVELOPERS = BuiltinPage(
    "/developers",
    "For developers",
    "How to read this site's content as JSON or markdown: quick start, resources, errors, limits,"
    " caching and versioning of the public API.",
    "Programs can read everything that this site publishes through its API, as JSON or Markdown,"
    " without a key. The [OpenAPI 3.1 contract](/openapi.json) has every path and parameter, and"
    " [llms.txt](/llms.txt) links to every page as Markdown.",
)
DEVELOPERS_IN_ARABIC = BuiltinPage(
    "/developers/ar",
    "للمطوّرين",
    "كيفية قراءة محتوى هذا الموقع بصيغة JSON أو Markdown: البدء السريع والموارد والأخطاء والحدود"
    " والتخزين المؤقت وإصدارات الواجهة البرمجية العامة.",
    "تستطيع البرامج قراءة كل ما ينشره هذا الموقع عبر واجهته البرمجية، بصيغة JSON أو Markdown ودون"
    " مفتاح. يصف [عقد OpenAPI 3.1](/openapi.json) كل مسار ومعامل، ويحيل"
    " [llms.txt](/llms.txt) إلى كل صفحة بصيغة Markdown.",
    Language.AR,
)

BUILTIN_PAGES: Mapping[str, BuiltinPage] = {
    page.path: page for page in (DEVELOPERS, DEVELOPERS_IN_ARABIC)
}
"""The built-in pages by path."""


def builtin_pages(locales: Locales) -> tuple[BuiltinPage, ...]:
    """Return the built-in pages of a site: the Arabic one only if the site is in Arabic."""
    pages = BUILTIN_PAGES.values()
    return tuple(page for page in pages if page is DEVELOPERS or page.language in locales.languages)


def developers_page(language: Language, locales: Locales) -> BuiltinPage:
    """Return the manual in a language, or in English if there is none in it."""
    pages = builtin_pages(locales)
    return next((page for page in pages if page.language is language), DEVELOPERS)


def builtin_variants(locales: Locales) -> tuple[tuple[str, str], ...]:
    """Return hreflang and path of the manual in each language of a site with several."""
    if len(locales.languages) == 1:
        return ()
    pages = builtin_pages(locales)
    return (*((page.language, page.path) for page in pages), ("x-default", DEVELOPERS.path))


Made = TypeVar("Made")

_BUILD_LOCK = Lock()
"""Only one thread builds a site map, which may have thousands of pages; the others wait."""


class LocaleVariant(NamedTuple):
    """One page in one locale; `updated_at` is the author's date of change, if there is one."""

    locale: Locale
    updated_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class SitemapEntry:
    """One page and the locales in which it is listed, in the standard order of locales."""

    address: Address
    locales: tuple[Locale, ...]
    dates: tuple[datetime | None, ...]
    """The author's date of change for each of `locales`."""

    hreflangs: tuple[tuple[str, Locale], ...]
    is_ahead: bool = False
    """Whether the author's date of change is in the future, and not shown before it comes."""

    @property
    def variants(self) -> Iterator[LocaleVariant]:
        """Iterate over the page in each of its locales."""
        return map(LocaleVariant, self.locales, self.dates)


@lru_cache(maxsize=4_096)
def _shared(locales: tuple[Locale, ...]) -> tuple[Locale, ...]:
    """Return the same tuple object for all pages with these locales, to save memory."""
    return locales


@dataclass(frozen=True, eq=False, slots=True)
class _LastPages:
    """What the pages of a site map were made from, and those by the slugs of their documents."""

    snapshot: Snapshot
    now: datetime
    by_type: Mapping[PageType, Mapping[str, SitemapEntry]]
    ahead: frozenset[str]
    """The slugs of documents whose date of change was in the future."""

    def is_valid_for(self, snapshot: Snapshot, now: datetime) -> bool:
        """Return whether what did not change since is listed in the same locales."""
        before = self.snapshot
        places = (before.open, before.locales, before.cities, before.kinds)
        return (
            places == (snapshot.open, snapshot.locales, snapshot.cities, snapshot.kinds)
            and private_paths(before) == private_paths(snapshot)
            and now >= self.now
        )

    def changed(self, snapshot: Snapshot, kind: AnyContentType, now: datetime) -> AbstractSet[str]:
        """Return the slugs of documents that were edited, published or withdrawn since."""
        entries = snapshot.entries.get(kind, {})
        changed = changed_keys(self.snapshot.entries.get(kind, {}), entries) | self.ahead
        due = snapshot.entries_due(self.now, now)
        return changed | {entry.slug for entry in due if entry.kind == kind}


@dataclass(frozen=True, eq=False, slots=True)
class SiteMap:
    """All public pages; valid until the snapshot's next scheduled change."""

    pages: tuple[SitemapEntry, ...]
    unlocalized: tuple[str, ...] = (DEVELOPERS.path,)
    """The paths of public pages outside the locales."""

    unlocalized_variants: tuple[tuple[str, str], ...] = ()
    """Of these the hreflang tags, each with its path."""

    cache: dict[Hashable, object] = field(default_factory=dict, repr=False)
    """What was made of the pages, such as their parts for search engines."""

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Return what is made of the pages; made once for each key."""
        if key not in self.cache:
            self.cache[key] = make()
        return cast(Made, self.cache[key])

    @property
    def localized(self) -> SiteMap:
        """The map without the pages outside the locales, which describe a running service."""
        none: dict[str, tuple[()]] = {"unlocalized": (), "unlocalized_variants": ()}
        return self.once("localized", lambda: replace(self, cache={}, **none))

    def page_at(self, address: Address) -> SitemapEntry | None:
        """Return the page at an address, or None if it is not listed."""
        by_address = self.once("by address", lambda: {each.address: each for each in self.pages})
        return by_address.get(address)

    def pages_in(self, locale: Locale) -> Sequence[SitemapEntry]:
        """Return the pages of one locale: lists first, then by content type."""
        # Pages share their tuples of locales, each of which is searched once.
        distinct = {id(page.locales): page.locales for page in self.pages}
        listed = {number for number, locales in distinct.items() if locale in locales}
        return [page for page in self.pages if id(page.locales) in listed]

    def addresses(self, locale: Locale) -> list[Address]:
        """Return the addresses of the pages of one locale, in their order."""
        return [page.address for page in self.pages_in(locale)]


def site_map(snapshot: Snapshot, now: datetime) -> SiteMap:
    """Return the site map at that time; it is cached until a page is published or withdrawn."""
    note(EDITION)
    key = (site_map, snapshot.schedule.next_after(now))
    with _BUILD_LOCK, recording():
        cached = snapshot.cache.get(key)
        if not isinstance(cached, SiteMap):
            cached = SiteMap(
                tuple(page for page in _pages(snapshot, now) if page.locales),
                tuple(page.path for page in builtin_pages(snapshot.locales)),
                builtin_variants(snapshot.locales),
            )
            snapshot.cache[key] = cached
    return cached


def listed_entries(
    snapshot: Snapshot, pages: Iterable[LocalizedAddress], now: datetime
) -> Iterator[tuple[Locale, SitemapEntry]]:
    """Yield each of these pages that is listed, once; for a single one no map is made."""
    distinct = list(dict.fromkeys(pages))
    if len(distinct) > 1:
        find = site_map(snapshot, now).page_at
    else:
        find = partial(_entry_of_one, snapshot, now=now)
    for locale, address in distinct:
        entry = find(address)
        if entry is not None and locale in entry.locales:
            yield locale, entry


def _entry_of_one(snapshot: Snapshot, address: Address, now: datetime) -> SitemapEntry | None:
    is_listed_type = address.page.is_indexed and is_reachable(snapshot, address)
    return _page(snapshot, address, now) if is_listed_type else None


def _pages(snapshot: Snapshot, now: datetime) -> Iterator[SitemapEntry]:
    """Yield all pages; those of the last site map again if their documents did not change."""
    before = snapshot.kept.get(site_map)
    if not isinstance(before, _LastPages) or not before.is_valid_for(snapshot, now):
        before = None
    direct = {
        page: _pages_by_slug(snapshot, page, now, before)
        for page in snapshot.page_types.listed
        if page.is_direct and not page.needs_posts
    }
    ahead = {slug for pages in direct.values() for slug, each in pages.items() if each.is_ahead}
    snapshot.kept[site_map] = _LastPages(snapshot, now, direct, frozenset(ahead))
    for page in snapshot.page_types.listed:
        yield from direct[page].values() if page in direct else _pages_of(snapshot, page, now)


def _pages_of(snapshot: Snapshot, page: PageType, now: datetime) -> Iterator[SitemapEntry]:
    return _entries_at(snapshot, addresses_of(snapshot, (page,)), now)


def _entries_at(
    snapshot: Snapshot, addresses: Iterable[Address], now: datetime
) -> Iterator[SitemapEntry]:
    """Yield the pages at these addresses, without those whose document cannot be shown."""
    make = partial(_page, snapshot, now=now)
    return snapshot.left_out.each(addresses, make, partial(file_at, snapshot))


def _pages_by_slug(
    snapshot: Snapshot, page: PageType, now: datetime, before: _LastPages | None
) -> Mapping[str, SitemapEntry]:
    """Return the pages of a type whose documents have one page each, in the order of slugs."""
    if before is None:
        return {each.address.slug: each for each in _pages_of(snapshot, page, now)}
    (kind,) = page.content_types
    entries, known = snapshot.entries.get(kind, {}), before.by_type[page]
    changed = before.changed(snapshot, kind, now)
    addresses = (page_of(kind, slug, snapshot) for slug in changed if slug in entries)
    new = {
        each.address.slug: each
        for each in _entries_at(snapshot, filter(partial(is_reachable, snapshot), addresses), now)
        if each.address.page is page
    }
    pages = {**known, **new}
    for slug in changed - new.keys():
        pages.pop(slug, None)
    if pages.keys() == known.keys():
        return pages
    return {slug: pages[slug] for slug in entries if slug in pages}


def addresses_of(snapshot: Snapshot, types: Iterable[PageType]) -> Iterator[Address]:
    """Yield the addresses of all pages of these types, whether or not they are published."""
    for page in types:
        entries = [entry for kind in page.content_types for entry in snapshot.all(kind)]
        if page.is_list:
            yield Address(page)
        elif page.in_city:
            yield from _city_addresses(page, entries)
        else:
            addresses = (page_of(entry.kind, entry.slug, snapshot) for entry in entries)
            own = dict.fromkeys(each for each in addresses if each.page is page)
            yield from filter(partial(is_reachable, snapshot), own)


def _city_addresses(page: PageType, entries: Iterable[Entry]) -> list[Address]:
    return sorted(
        {
            Address(page, entry.slug, document.layer.city)
            for entry in entries
            for document in entry.documents
            if document.layer.city
        }
    )


def _page(snapshot: Snapshot, address: Address, now: datetime) -> SitemapEntry:
    listed = listed_resolutions(snapshot, address, now)
    dates = {
        each: each.updated_at if each and each.updated_at and each.updated_at <= now else None
        for each in set(listed.values())
    }
    locales = _shared(tuple(listed))
    is_ahead = any(each and dates[each] != each.updated_at for each in dates)
    is_other = any(each and isinstance(each.text_language, OtherLanguage) for each in dates)
    tags = () if is_other else hreflangs(locales, snapshot.locales)
    shown = tuple(map(dates.get, listed.values()))
    return SitemapEntry(address, locales, shown, tags, is_ahead)


def published_types(snapshot: Snapshot, pages: SiteMap) -> frozenset[AnyContentType]:
    """Return the content types of which the site shows documents at the time of its site map."""
    types = {kind for entry in pages.pages for kind in entry.address.page.content_types}
    return frozenset(kind for kind in types if snapshot.has(kind))
