"""Addresses: which public path shows which document, in which locales."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from knowledge.content_path import ContentType
from knowledge.locale import DEFAULT_LOCALE, Country, Language, Locale
from knowledge.resolution import Entry, resolve
from knowledge.snapshot import Snapshot


class Page(StrEnum):
    """The public pages of a locale, by the shape of their path."""

    HOME = ""
    BLOG = "/blog"
    CATEGORY = "/blog/category/{slug}"
    POST = "/blog/{slug}"
    MODULE = "/modules/{slug}"
    INDUSTRY = "/industries/{slug}"
    CITY = "/cities/{city}"
    CITY_CONTENT = "/cities/{city}/{slug}"
    TESTIMONIALS = "/testimonials"
    PRODUCTS = "/products"
    PRODUCT = "/products/{slug}"
    SEARCH = "/search"
    CONTENT = "/{slug}"  # registry and CMS pages; last, as it fits what the others left


_PATTERNS = tuple((page, re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", page))) for page in Page)
_LOCALE = re.compile(r"/(?P<country>[a-z]{2})/(?P<language>[a-z]{2})(?=/|\Z)")
_KINDS: dict[Page, ContentType] = {
    Page.CATEGORY: ContentType.CATEGORY,
    Page.POST: ContentType.POST,
    Page.MODULE: ContentType.MODULE,
    Page.INDUSTRY: ContentType.INDUSTRY,
    Page.PRODUCT: ContentType.PRODUCT,
}
_SINGLETONS: dict[Page, str] = {
    Page.HOME: "home",
    Page.BLOG: "blog",
    Page.TESTIMONIALS: "testimonials",
}
_LISTS = (Page.HOME, Page.BLOG, Page.TESTIMONIALS, Page.PRODUCTS, Page.SEARCH)
PAGES: dict[ContentType, Page] = {kind: page for page, kind in _KINDS.items()} | {
    ContentType.REGISTRY: Page.CONTENT,
    ContentType.PAGE: Page.CONTENT,
}


class Address(NamedTuple):
    """One public page, whatever the locale."""

    page: Page
    slug: str = ""
    city: str = ""

    @property
    def path(self) -> str:
        """The path below the locale's root.

        >>> Address(Page.CITY_CONTENT, "erp", "riyadh").path
        '/cities/riyadh/erp'
        """
        return self.page.format(slug=self.slug, city=self.city)


def split_locale(path: str) -> tuple[Locale | None, str]:
    """A path's locale, and the rest of it.

    >>> split_locale("/sa/ar/erp")
    (Locale(country=<Country.SA: 'SA'>, language=<Language.AR: 'ar'>), '/erp')
    >>> split_locale("/erp")
    (None, '/erp')
    """
    match = _LOCALE.match(path)
    if match:
        country, language = Country.parse(match["country"]), Language.parse(match["language"])
        if country and language:
            return Locale(country, language), path[match.end() :]
    return None, path


def parse_address(path: str) -> Address | None:
    """The page of a path below a locale's root, whether or not there is a document for it."""
    bare = path.rstrip("/")
    for page, pattern in _PATTERNS:
        match = pattern.fullmatch(bare)
        if match:
            return Address(page, **match.groupdict())
    return None


def entry_at(snapshot: Snapshot, address: Address) -> Entry | None:
    """The document shown at an address; lists may have none and exist all the same."""
    page, slug, city = address
    if page in _SINGLETONS:
        return snapshot.entry(ContentType.SITE, _SINGLETONS[page])
    if page in _KINDS:
        return snapshot.entry(_KINDS[page], slug)
    if page is Page.CITY:
        return snapshot.entry(ContentType.CITY, city)
    if page is Page.CITY_CONTENT and city not in snapshot.cities:
        return None
    return snapshot.entry(ContentType.REGISTRY, slug) or snapshot.entry(ContentType.PAGE, slug)


def file_at(snapshot: Snapshot, address: Address) -> str:
    """The file of the document shown at an address, or the path of a list that has none."""
    entry = entry_at(snapshot, address)
    return entry.path if entry else address.path


def is_list(address: Address) -> bool:
    """Whether the page lists others, and so exists without a document of its own."""
    return address.page in _LISTS


@dataclass(frozen=True, slots=True)
class Variants:
    """The locales in which one page is published in that locale's own language."""

    locales: tuple[Locale, ...]

    def first(self, *preferred: Locale) -> Locale | None:
        """The first of the preferred locales that is there, else the first there is."""
        found = (locale for locale in preferred if locale in self.locales)
        return next(found, self.locales[0] if self.locales else None)

    def generic(self, language: Language) -> Locale | None:
        """The locale that stands for a language without country: AE's, else the first."""
        same = tuple(locale for locale in self.locales if locale.language is language)
        return Variants(same).first(Locale(Country.AE, language))

    @property
    def default(self) -> Locale | None:
        """The locale for readers of no locale served: `x-default`."""
        return self.first(DEFAULT_LOCALE)


def variants(snapshot: Snapshot, address: Address, now: datetime) -> Variants:
    """Where a page is published at that instant; countries switched off are left out."""
    entry = entry_at(snapshot, address)
    locales = snapshot.open_locales
    if address.city:
        own = snapshot.cities.get(address.city)
        locales = tuple(locale for locale in locales if locale.country is own)
    if entry is None:
        return Variants(locales if is_list(address) else ())
    return Variants(tuple(each for each in locales if _is_own(entry, each, address, now)))


def is_visible(snapshot: Snapshot, address: Address, locale: Locale, now: datetime) -> bool:
    """Whether readers of a locale find the page there, in whichever language."""
    if locale not in snapshot.open_locales:
        return False
    if address.city and snapshot.cities.get(address.city) is not locale.country:
        return False
    entry = entry_at(snapshot, address)
    if entry is None:
        return is_list(address)
    return resolve(entry, locale, now, address.city or None) is not None


def nearest_locale(snapshot: Snapshot, address: Address, locale: Locale, now: datetime) -> Locale:
    """Where readers of a locale find the page: there, else in their language, else at all.

    A page that is published nowhere is left where it was looked for.
    """

    def distance(other: Locale) -> tuple[bool, bool]:
        return other.language is not locale.language, other.country is not locale.country

    by_nearness = sorted(snapshot.open_locales, key=distance)
    found = (each for each in by_nearness if is_visible(snapshot, address, each, now))
    return next(found, locale)


def _is_own(entry: Entry, locale: Locale, address: Address, now: datetime) -> bool:
    resolved = resolve(entry, locale, now, address.city or None)
    return resolved is not None and resolved.language is locale.language
