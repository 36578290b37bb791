"""Public addresses: which path shows which document, and in which locales."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from knowledge.content_type import AnyContentType
from knowledge.content_types import (
    CATEGORY,
    CITY,
    INDUSTRY,
    MODULE,
    PAGE,
    POST,
    PRODUCT,
    REGISTRY,
    SITE,
)
from knowledge.layer_resolution import Entry, resolve
from knowledge.locale import DEFAULT_LOCALE, Country, Language, Locale
from knowledge.snapshot import Snapshot


class Page(StrEnum):
    """The types of public pages of a locale; the value is the path pattern."""

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
    CONTENT = "/{slug}"  # registry and CMS pages; last, because it matches any other path


_PATTERNS = tuple((page, re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", page))) for page in Page)
_LOCALE = re.compile(r"/(?P<country>[a-z]{2})/(?P<language>[a-z]{2})(?=/|\Z)")
_KINDS: dict[Page, AnyContentType] = {
    Page.CATEGORY: CATEGORY,
    Page.POST: POST,
    Page.MODULE: MODULE,
    Page.INDUSTRY: INDUSTRY,
    Page.PRODUCT: PRODUCT,
}
_SINGLETONS: dict[Page, str] = {
    Page.HOME: "home",
    Page.BLOG: "blog",
    Page.TESTIMONIALS: "testimonials",
}
_LISTS = (Page.HOME, Page.BLOG, Page.TESTIMONIALS, Page.PRODUCTS, Page.SEARCH)
PAGES: dict[AnyContentType, Page] = {kind: page for page, kind in _KINDS.items()} | {
    REGISTRY: Page.CONTENT,
    PAGE: Page.CONTENT,
}


class Address(NamedTuple):
    """One public page, independent of the locale."""

    page: Page
    slug: str = ""
    city: str = ""

    @property
    def path(self) -> str:
        """Return the path below the locale's root.

        >>> Address(Page.CITY_CONTENT, "erp", "riyadh").path
        '/cities/riyadh/erp'
        """
        return self.page.format(slug=self.slug, city=self.city)


def split_locale(path: str) -> tuple[Locale | None, str]:
    """Split a path into its locale (None if it has none) and the rest.

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
    """Return the page for a path below a locale's root; its document may not exist."""
    trimmed = path.rstrip("/")
    for page, pattern in _PATTERNS:
        match = pattern.fullmatch(trimmed)
        if match:
            return Address(page, **match.groupdict())
    return None


def entry_at(snapshot: Snapshot, address: Address) -> Entry | None:
    """Return the document shown at an address, or None; a list page needs no document."""
    page, slug, city = address
    if page in _SINGLETONS:
        return snapshot.entry(SITE, _SINGLETONS[page])
    if page in _KINDS:
        return snapshot.entry(_KINDS[page], slug)
    if page is Page.CITY:
        return snapshot.entry(CITY, city)
    if page is Page.CITY_CONTENT and city not in snapshot.cities:
        return None
    return snapshot.entry(REGISTRY, slug) or snapshot.entry(PAGE, slug)


def file_at(snapshot: Snapshot, address: Address) -> str:
    """Return the file path of the document at an address, or the address if it has none."""
    entry = entry_at(snapshot, address)
    return entry.path if entry else address.path


def is_list(address: Address) -> bool:
    """Return whether the page is a list, which exists even without a document."""
    return address.page in _LISTS


@dataclass(frozen=True, slots=True)
class Variants:
    """The locales in which a page is published in the locale's own language."""

    locales: tuple[Locale, ...]

    def first(self, *preferred: Locale) -> Locale | None:
        """Return the first available preferred locale, else the first available one."""
        available = (locale for locale in preferred if locale in self.locales)
        return next(available, self.locales[0] if self.locales else None)

    def generic(self, language: Language) -> Locale | None:
        """Return the locale that represents a language without a country: AE, else the first."""
        matches = tuple(locale for locale in self.locales if locale.language is language)
        return Variants(matches).first(Locale(Country.AE, language))

    @property
    def default(self) -> Locale | None:
        """Return the locale for readers whose locale is not served (`x-default`)."""
        return self.first(DEFAULT_LOCALE)


def variants(snapshot: Snapshot, address: Address, now: datetime) -> Variants:
    """Return the locales in which a page is published at `now`, without disabled countries."""
    entry = entry_at(snapshot, address)
    locales = snapshot.open_locales
    if address.city:
        country = snapshot.cities.get(address.city)
        locales = tuple(locale for locale in locales if locale.country is country)
    if entry is None:
        return Variants(locales if is_list(address) else ())
    return Variants(
        tuple(locale for locale in locales if _has_own_text(entry, locale, address, now))
    )


def is_visible(snapshot: Snapshot, address: Address, locale: Locale, now: datetime) -> bool:
    """Return whether the page exists in a locale, in either language."""
    if locale not in snapshot.open_locales:
        return False
    if address.city and snapshot.cities.get(address.city) is not locale.country:
        return False
    entry = entry_at(snapshot, address)
    if entry is None:
        return is_list(address)
    return resolve(entry, locale, now, address.city or None) is not None


def nearest_locale(snapshot: Snapshot, address: Address, locale: Locale, now: datetime) -> Locale:
    """Return the nearest locale that has the page.

    The order is: `locale` itself, the same language, the same country, any other. A page that is
    published nowhere gives `locale`.
    """

    def distance(other: Locale) -> tuple[bool, bool]:
        return other.language is not locale.language, other.country is not locale.country

    by_distance = sorted(snapshot.open_locales, key=distance)
    matches = (other for other in by_distance if is_visible(snapshot, address, other, now))
    return next(matches, locale)


def _has_own_text(entry: Entry, locale: Locale, address: Address, now: datetime) -> bool:
    resolved = resolve(entry, locale, now, address.city or None)
    return resolved is not None and resolved.language is locale.language
