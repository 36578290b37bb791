"""Public addresses: which path shows which document, and in which locales."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from knowledge.fields.content_types import KIND, AnyContentType
from knowledge.fields.page_type import PageType, PageTypes
from knowledge.locales.locale import Country, Language, Locale, Locales
from knowledge.markdown import document_cache
from knowledge.snapshot.layer_resolution import Entry, Resolved, group_countries, resolve
from knowledge.snapshot.snapshot import NO_DOCUMENTS, Snapshot

_LOCALE = re.compile(rf"/(?:(?P<country>[a-z]{{2}})/)?(?P<language>{'|'.join(Language)})(?=/|\Z)")


class Address(NamedTuple):
    """One public page, independent of the locale."""

    page: PageType
    slug: str = ""
    city: str = ""

    @property
    def path(self) -> str:
        """The path below the locale's root."""
        page = self.page
        own = page.slug_paths.get(self.slug) if page.slug_paths else None
        return own or page.path.format(slug=self.slug, city=self.city)


class LocalizedAddress(NamedTuple):
    """One page in one locale."""

    locale: Locale
    address: Address


def in_locale(locale: Locale, addresses: Iterable[Address]) -> Iterator[LocalizedAddress]:
    """Yield pages in one locale."""
    return (LocalizedAddress(locale, address) for address in addresses)


def localized_addresses(paths: Iterable[str], snapshot: Snapshot) -> Iterator[LocalizedAddress]:
    """Yield the page at each site path at which there can be a page."""
    for path in paths:
        locale, below = split_locale(path)
        address = parse_address(below, snapshot)
        if locale is not None and address is not None:
            yield LocalizedAddress(locale, address)


def split_locale(path: str) -> tuple[Locale | None, str]:
    """Split a path into its locale (None if it has none) and the rest.

    Whether a site has the locale depends on its content.

    >>> split_locale("/sa/ar/erp")
    (Locale(country='SA', language=<Language.AR: 'ar'>), '/erp')
    >>> split_locale("/ar/erp")
    (Locale(country=None, language=<Language.AR: 'ar'>), '/erp')
    >>> split_locale("/erp")
    (None, '/erp')
    """
    match = _LOCALE.match(path)
    if match is None:
        return None, path
    country = Country.parse(match["country"]) if match["country"] else None
    if match["country"] and country is None:
        return None, path
    return Locale(country, Language(match["language"])), path[match.end() :]


def meant_locale(path: str, default: Locale, open_locales: Sequence[Locale]) -> tuple[Locale, str]:
    """Split a path into the open locale that it means and the rest; half of a locale is enough.

    >>> site = Locales((Country("AE"), Country("KW"))).all
    >>> [meant_locale(each, site[0], site)[0].path for each in ("/kw/x", "/ar/x", "/us/ar/x", "/x")]
    ['/kw/en', '/ae/ar', '/ae/ar', '/ae/en']
    """
    locale, rest = split_locale(path)
    first, _, below = path.removeprefix("/").partition("/")
    country = Country.parse(first)
    of_country = (each for each in open_locales if country and each.country == country)
    candidates = (
        (locale, rest),
        *((each, f"/{below}") for each in of_country),
        (locale and default.in_language(locale.language), rest),
    )
    meant = ((each, below) for each, below in candidates if each and each in open_locales)
    return next(meant, (default, path))


def parse_address(path: str, snapshot: Snapshot = NO_DOCUMENTS) -> Address | None:
    """Return the page for a path below a locale's root; its document may not exist.

    Without the snapshot of a site, only built-in types of pages are known.
    """
    return address_at(path, snapshot.page_types)


def address_at(path: str, pages: PageTypes) -> Address | None:
    """Return the page of one of these types for a path below a locale's root."""
    found = pages.at(path)
    return Address(found[0], **found[1]) if found else None


def address_of(snapshot: Snapshot, page: PageType, slug: str = "", city: str = "") -> Address:
    """Return a page of a built-in type, at the path that the site gives to it."""
    return Address(snapshot.page_types.own(page), slug, city)


def page_of(content_type: AnyContentType, slug: str, snapshot: Snapshot) -> Address:
    """Return the page of a document; raise KeyError for content types without pages.

    That of the first folder of a nested kind is the list of all of them.
    """
    page = snapshot.page_types.by_content_type[content_type]
    if page.is_nested and slug == content_type.folder:
        return Address(snapshot.kinds.by_name[slug].list_page or page)
    return Address(page, slug) if "{slug}" in page.path else Address(page, city=slug)


def route_of(snapshot: Snapshot, entry: Entry) -> Address | None:
    """Return the public page of a document, or None for content types without pages."""
    if entry.kind in snapshot.page_types.by_content_type:
        return page_of(entry.kind, entry.slug, snapshot)
    if entry.kind == KIND:
        kind = snapshot.kinds.by_name.get(entry.slug)
        return Address(kind.list_page) if kind and kind.list_page else None
    return None


def entry_at(snapshot: Snapshot, address: Address) -> Entry | None:
    """Return the document shown at an address, or None; a list page needs no document."""
    page, slug, city = address
    if page.in_city and city not in snapshot.cities:
        return None
    for content_type in page.content_types:
        entry = snapshot.entry(content_type, page.singleton or slug or city)
        if entry is not None:
            return entry
    return None


def file_at(snapshot: Snapshot, address: Address) -> str:
    """Return the file path of the document at an address, or the address if it has none."""
    entry = entry_at(snapshot, address)
    return entry.path if entry else address.path


@dataclass(frozen=True, slots=True)
class Variants:
    """The locales in which a page is published in the locale's own language."""

    locales: tuple[Locale, ...]

    def first(self, *preferred: Locale) -> Locale | None:
        """Return the first available preferred locale, else the first available one."""
        available = (locale for locale in preferred if locale in self.locales)
        return next(available, self.locales[0] if self.locales else None)

    def generic(self, language: Language) -> Locale | None:
        """Return the locale that represents a language without a country: the first."""
        return next((locale for locale in self.locales if locale.language is language), None)

    @property
    def default(self) -> Locale | None:
        """Return the locale for readers whose locale is not served (`x-default`)."""
        return next(iter(self.locales), None)


Resolutions = Mapping[Locale, Resolved | None]
"""The document of a page by locale, in the order of the API; None for a list without one."""


def resolutions(snapshot: Snapshot, address: Address, now: datetime) -> Resolutions:
    """Return the open locales that have a page at `now`, in either language.

    The result is cached until the next scheduled change, because links and alternates ask for the
    same few pages.
    """
    entry, locales = entry_at(snapshot, address), locales_of(snapshot, address)
    if entry is not None:
        return _resolutions(entry, locales, address.city, snapshot.last_change_at(now))
    return dict.fromkeys(locales.all if address.page.is_list else ())


def locales_of(snapshot: Snapshot, address: Address) -> Locales:
    """Return the open locales that may have a page: of a city's, only those of its country."""
    if not address.city:
        return snapshot.open
    country = snapshot.cities.get(address.city)
    return snapshot.open.within(() if country is None else (country,))


_MAX_CACHED = 1_024
UNLOCALIZED = frozenset(
    {
        "/developers",
        "/developers/ar",
        "/llms.txt",
        "/sitemap.xml",
        "/openapi.json",
        "/openapi-legacy.json",
    }
)
"""Paths outside the locales that are no files of the content folder."""


@document_cache(_MAX_CACHED)
def _resolutions(entry: Entry, locales: Locales, city: str, last_change: datetime) -> Resolutions:
    """Resolve an entry; countries with the same version share a resolution."""
    found: dict[Locale, Resolved | None] = {}
    audiences = locales.audiences
    for group in group_countries(entry, audiences, city or None) if audiences else ():
        for language in locales.languages:
            resolved = resolve(entry, Locale(group[0], language), last_change, city or None)
            if resolved is not None:
                found |= {Locale(country, language): resolved for country in group}
    return {locale: found[locale] for locale in locales.all if locale in found}


def variants(snapshot: Snapshot, address: Address, now: datetime) -> Variants:
    """Return the locales in which a page is published at `now`, without disabled countries."""
    by_locale = resolutions(snapshot, address, now).items()
    return Variants(
        tuple(
            locale
            for locale, resolved in by_locale
            if resolved is None or resolved.language is locale.language
        )
    )


def is_visible(snapshot: Snapshot, address: Address, locale: Locale, now: datetime) -> bool:
    """Return whether the page exists in a locale, in either language."""
    return locale in resolutions(snapshot, address, now)


def nearest_locale(snapshot: Snapshot, address: Address, locale: Locale, now: datetime) -> Locale:
    """Return the nearest locale that has the page.

    The order is: `locale` itself, the same language, the same country, any other. A page that is
    published nowhere gives `locale`.
    """
    available = resolutions(snapshot, address, now)

    def distance(other: Locale) -> tuple[bool, bool]:
        return other.language is not locale.language, other.country != locale.country

    return locale if locale in available else min(available, key=distance, default=locale)
