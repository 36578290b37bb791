"""The site map: the single table of all public pages that are listed at a point in time.

sitemap.xml, llms.txt, robots.txt and hreflang all use it. A page is listed in each locale whose
language it is published in, unless its front matter sets `noIndex` or a `canonicalUrl`. Of a
paginated list, only the first page is listed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache, partial
from threading import Lock
from typing import NamedTuple, TypeVar, cast

from knowledge.addresses.addresses import (
    Address,
    Resolutions,
    Variants,
    file_at,
    is_visible,
    page_of,
    parse_address,
    resolutions,
)
from knowledge.diagnostics.messages import mark as _
from knowledge.edits.reads import EDITION, changed_keys, note, recording
from knowledge.fields.content_types import AnyContentType
from knowledge.fields.page_type import PAGE_TYPES, PageType
from knowledge.fields.schemas import PageSeo
from knowledge.locales.locale import Language, Locale, Locales, OtherLanguage, Scope
from knowledge.resources.builtin_pages import DEVELOPERS, builtin_pages, builtin_variants
from knowledge.resources.list_pages import has_entries, is_withdrawn
from knowledge.sections.sections import merged_sections
from knowledge.snapshot.layer_resolution import Entry, Resolved, provenance
from knowledge.snapshot.snapshot import Snapshot

PRIVATE_PATHS = {
    "/api/admin/": _("never; content administration, for signed-in staff only"),
    "/cms/": _("never; content administration and its assistant tools, for signed-in staff only"),
    "/cart": _("never; a customer's own session, not an interface for agents"),
    "/checkout": _("never; a customer's own session, not an interface for agents"),
    "/account": _("never; a customer's own data, behind a sign-in"),
}
"""Paths that crawlers and agents must not request, at the root and under each locale, and why."""

Made = TypeVar("Made")

_BUILD_LOCK = Lock()
"""Only one thread builds a site map, which may have thousands of pages; the others wait."""


class LocalizedAddress(NamedTuple):
    """One page in one locale."""

    locale: Locale
    address: Address


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
class _Made:
    """What the pages of a site map were made from, and those by the slugs of their documents."""

    snapshot: Snapshot
    now: datetime
    by_type: Mapping[PageType, Mapping[str, SitemapEntry]]
    ahead: frozenset[str]
    """The slugs of documents whose date of change was in the future."""

    def is_valid_for(self, snapshot: Snapshot, now: datetime) -> bool:
        """Return whether what did not change since is listed in the same locales."""
        before = self.snapshot
        places = (before.open, before.locales, before.cities)
        return places == (snapshot.open, snapshot.locales, snapshot.cities) and now >= self.now

    def changed(self, snapshot: Snapshot, kind: AnyContentType, now: datetime) -> AbstractSet[str]:
        """Return the slugs of documents that were edited, published or withdrawn since."""
        entries = snapshot.entries.get(kind, {})
        changed = changed_keys(self.snapshot.entries.get(kind, {}), entries) | self.ahead
        due = snapshot.entries_due(self.now, now)
        return changed | {entry.slug for entry in due if entry.kind is kind}


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
    """Return the site map at that time; it is cached until the next scheduled change."""
    note(EDITION)
    key = (site_map, snapshot.next_change_at(now))
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
    is_listed_type = address.page.is_indexed and _is_reachable(address)
    return _page(snapshot, address, now) if is_listed_type else None


def listed_locales(snapshot: Snapshot, address: Address, now: datetime) -> tuple[Locale, ...]:
    """Return the locales in which a page is listed, without building the whole map."""
    return tuple(listed_resolutions(snapshot, address, now)) if _is_reachable(address) else ()


@lru_cache(maxsize=256)
def hreflangs(locales: tuple[Locale, ...], site: Locales) -> tuple[tuple[str, Locale], ...]:
    """Return the hreflang tags of a page: its locales, then `en`, `ar` and `x-default`.

    The pages of a site with one locale have no variants, and no tags.

    >>> from knowledge.locales.locale import Country
    >>> emirates = Locales((Country("AE"),))
    >>> [tag for tag, _ in hreflangs((emirates.default,), emirates)]
    ['en-AE', 'en', 'x-default']
    >>> [tag for tag, _ in hreflangs(Locales().all, Locales())]
    ['en', 'ar', 'x-default']
    """
    if len(site.all) == 1:
        return ()
    variants = Variants(locales)
    generic = [(str(language), variants.generic(language)) for language in Language]
    generic.append(("x-default", variants.default))
    tags = {locale.tag: locale for locale in locales}
    tags |= {tag: locale for tag, locale in generic if locale is not None}
    return tuple(tags.items())


def is_noindex(seo: PageSeo) -> bool:
    """Return whether the `seo` block of a document excludes it from search engines.

    >>> is_noindex(PageSeo(robots_index="noindex")), is_noindex(PageSeo())
    (True, False)
    """
    return bool(seo.no_index) or seo.robots_index == "noindex"


def is_private(path: str) -> bool:
    """Return whether a path, relative to the site root or a locale, is private.

    >>> is_private("/cart"), is_private("/cart/1"), is_private("/cartography")
    (True, True, False)
    """
    return f"{path}/".startswith(tuple(f"{private.rstrip('/')}/" for private in PRIVATE_PATHS))


def _pages(snapshot: Snapshot, now: datetime) -> Iterator[SitemapEntry]:
    """Yield all pages; those of the last site map again if their documents did not change."""
    before = snapshot.kept.get(site_map)
    if not isinstance(before, _Made) or not before.is_valid_for(snapshot, now):
        before = None
    direct = {
        page: _pages_by_slug(snapshot, page, now, before)
        for page in PAGE_TYPES.listed
        if page.is_direct and not page.needs_posts
    }
    ahead = {slug for pages in direct.values() for slug, each in pages.items() if each.is_ahead}
    snapshot.kept[site_map] = _Made(snapshot, now, direct, frozenset(ahead))
    for page in PAGE_TYPES.listed:
        yield from direct[page].values() if page in direct else _pages_of(snapshot, page, now)


def _pages_of(snapshot: Snapshot, page: PageType, now: datetime) -> Iterator[SitemapEntry]:
    return _made(snapshot, addresses_of(snapshot, (page,)), now)


def _made(
    snapshot: Snapshot, addresses: Iterable[Address], now: datetime
) -> Iterator[SitemapEntry]:
    """Yield the pages at these addresses, without those whose document cannot be shown."""
    make = partial(_page, snapshot, now=now)
    return snapshot.left_out.each(addresses, make, partial(file_at, snapshot))


def _pages_by_slug(
    snapshot: Snapshot, page: PageType, now: datetime, before: _Made | None
) -> Mapping[str, SitemapEntry]:
    """Return the pages of a type whose documents have one page each, in the order of slugs."""
    if before is None:
        return {each.address.slug: each for each in _pages_of(snapshot, page, now)}
    (kind,) = page.content_types
    entries, known = snapshot.entries.get(kind, {}), before.by_type[page]
    changed = before.changed(snapshot, kind, now)
    addresses = (page_of(kind, slug) for slug in changed if slug in entries)
    made = {
        each.address.slug: each for each in _made(snapshot, filter(_is_reachable, addresses), now)
    }
    pages = {**known, **made}
    for slug in changed - made.keys():
        pages.pop(slug, None)
    if pages.keys() == known.keys():
        return pages
    return {slug: pages[slug] for slug in entries if slug in pages}


def has_posts(snapshot: Snapshot, address: Address, locale: Locale, now: datetime) -> bool:
    """Return whether a locale has as many posts published as a page needs to be listed."""
    needed = address.page.needs_posts
    if not needed:
        return True
    posts, kind = snapshot.posts(locale), address.page.content_types[0]
    return posts.has_published_of(kind, address.slug, now, needed)


def _is_unrouted(entry: Entry, address: Address) -> bool:
    """Return whether only other documents of this content type have a page."""
    slugs = entry.kind.page_slugs
    return bool(slugs) and not address.city and entry.slug not in slugs


def addresses_of(snapshot: Snapshot, types: Iterable[PageType]) -> Iterator[Address]:
    """Yield the addresses of all pages of these types, whether or not they are published."""
    for page in types:
        entries = [entry for kind in page.content_types for entry in snapshot.all(kind)]
        if page.is_list:
            yield Address(page)
        elif page.in_city:
            yield from _city_addresses(page, entries)
        else:
            addresses = (page_of(entry.kind, entry.slug) for entry in entries)
            yield from filter(_is_reachable, dict.fromkeys(addresses))


def _is_reachable(address: Address) -> bool:
    """Return whether no list (such as /blog) and no private path takes the same path."""
    if not address.page.path.startswith("/{"):
        return True
    return parse_address(address.path) == address and not is_private(address.path)


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
        resolved: _clamp_to_now(resolved.updated_at, now) if resolved else None
        for resolved in set(listed.values())
    }
    locales = _shared(tuple(listed))
    is_ahead = any(each and dates[each] != each.updated_at for each in dates)
    is_other = any(each and isinstance(each.text_language, OtherLanguage) for each in dates)
    tags = () if is_other else hreflangs(locales, snapshot.locales)
    shown = tuple(map(dates.get, listed.values()))
    return SitemapEntry(address, locales, shown, tags, is_ahead)


def listed_resolutions(snapshot: Snapshot, address: Address, now: datetime) -> Resolutions:
    """Return the locales that list a page, with its document; a shared one is checked once."""
    by_locale = resolutions(snapshot, address, now)
    shown = {
        resolved
        for resolved in set(by_locale.values())
        if resolved is None or (_is_in_own_language(resolved) and is_listed(resolved, address))
    }
    return {
        locale: resolved
        for locale, resolved in by_locale.items()
        if resolved in shown
        and has_posts(snapshot, address, locale, now)
        and has_entries(snapshot, address.page, locale, now)
    }


def _is_in_own_language(resolved: Resolved) -> bool:
    return resolved.language is resolved.locale.language


def is_listed(resolved: Resolved, address: Address) -> bool:
    """Return whether a page belongs in the site map: not noindex, on sale, and not a copy."""
    return (
        not _is_unrouted(resolved.entry, address)
        and not is_noindex(resolved.seo)
        and not resolved.seo.canonical_url
        and not is_withdrawn(resolved.fields)
        and has_own_text(resolved, address)
    )


def canonical_address(
    snapshot: Snapshot, address: Address, resolved: Resolved, now: datetime
) -> Address:
    """Return the address of the page that one repeats: of a city's the country's, else itself."""
    if has_own_text(resolved, address):
        return address
    repeated = page_of(resolved.entry.kind, resolved.entry.slug)
    is_page = _is_reachable(repeated) and not _is_unrouted(resolved.entry, repeated)
    is_there = is_page and is_visible(snapshot, repeated, resolved.locale, now)
    return repeated if is_there else address


def has_own_text(resolved: Resolved, address: Address) -> bool:
    """Return whether a page tells what no other one does: of a city's a layer must contribute."""
    if not address.page.in_city:
        return True
    scopes = [document.layer.scope for _, document in merged_sections(resolved)]
    return provenance(resolved, scopes).resolved_from is Scope.CITY_OVERRIDE


def _clamp_to_now(updated_at: datetime | None, now: datetime) -> datetime | None:
    """Return the date of change, or None if it is in the future."""
    return updated_at if updated_at and updated_at <= now else None
