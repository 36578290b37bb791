"""Places: the site's countries and cities, the likely one of a client, and where the root leads."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from enum import StrEnum
from typing import Any

from knowledge.addresses.addresses import Address, LocalizedAddress, variants
from knowledge.fields.content_types import CITY
from knowledge.fields.field_types import BilingualString, Omittable
from knowledge.fields.settings_fields import CountryFields
from knowledge.locales import cldr
from knowledge.locales.locale import Country, Language, Locale
from knowledge.resources.base import CountryCode, CountrySlug, Resource
from knowledge.resources.home import HOME_PAGE
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import (
    ContentView,
    cached_per_snapshot,
    country_settings,
    currency_of,
)


class HintSource(StrEnum):
    """The source of a country hint."""

    HEADER = "header"
    FALLBACK = "fallback"


class LocaleHint(Resource):
    """The client's likely country; the service stores nothing about the client."""

    country_code: CountryCode
    """The likely country of the client."""
    source: HintSource
    """What the hint is based on."""


class LocaleRouting(Resource):
    """The redirect target of the site root for this client; `redirect` is a site path or null."""

    redirect: str | None
    """Site path to which the root leads, or null if it stays."""
    country: CountrySlug
    """Slug of the client's country."""
    lang: Language
    """Language of the client."""


def locale_hint(snapshot: Snapshot, hinted: Country | None) -> LocaleHint:
    """Return the hinted country if the site has it, or the default country."""
    if hinted is None or hinted not in snapshot.countries:
        default = snapshot.locales.default.country
        return LocaleHint(country_code=default, source=HintSource.FALLBACK)
    return LocaleHint(country_code=hinted, source=HintSource.HEADER)


def locale_routing(
    snapshot: Snapshot, hinted: Country | None, languages: Iterable[str]
) -> LocaleRouting:
    """Decide where to redirect; `languages` are the client's language tags, preferred first.

    The root leads to the country of a hint, and to the client's language if that is not the
    language of the main locale. A site without countries leads to a language in any case.
    """
    languages = tuple(languages)
    visitor, main = visitor_locale(snapshot, hinted, languages), snapshot.default_locale
    country = visitor.country
    prefers_other = preferred_language(snapshot, languages) not in (None, main.language)
    redirect = visitor.path if country is hinted or prefers_other else None
    return LocaleRouting(
        redirect=redirect, country=country.slug if country else None, lang=visitor.language
    )


def suggested_locale(
    snapshot: Snapshot,
    page: tuple[Locale, Address],
    now: datetime,
    hinted: Country | None,
    languages: Iterable[str],
) -> Locale | None:
    """Return the locale in which a visitor of a page had rather read it, None if in this one.

    The visitor's country and language are known as far as `hinted` and `languages` tell them. The
    page is published there, if not with both then with one of them.
    """
    shown, address = page
    country = hinted if hinted in snapshot.open.countries else shown.country
    language = preferred_language(snapshot, languages) or shown.language
    wanted = Locale(country, language)
    if wanted == shown:
        return None
    published = variants(snapshot, address, now).locales
    nearest = (wanted, wanted.in_language(shown.language), shown.in_language(language))
    return next((each for each in nearest if each in published and each != shown), None)


def visitor_locale(snapshot: Snapshot, hinted: Country | None, languages: Iterable[str]) -> Locale:
    """Return the locale of a visitor whose path names none; the root decides it in the same way."""
    is_hinted = hinted is not None and hinted in snapshot.open.countries
    country = hinted if is_hinted else snapshot.default_locale.country
    language = preferred_language(snapshot, languages)
    default = country_settings(snapshot, country).default_lang or snapshot.locales.languages[0]
    return Locale(country, language or default)


def preferred_language(snapshot: Snapshot, tags: Iterable[str]) -> Language | None:
    """Return the first of the client's languages that the site has, or None."""
    parsed = (Language.parse(tag) for tag in tags)
    return next((each for each in parsed if each in snapshot.locales.languages), None)


class CountryItem(Resource):
    """One country; `currency` is its ISO 4217 code."""

    code: CountryCode
    """ISO 3166 code of the country."""
    slug: CountrySlug
    """Slug of the country, as in paths."""
    name: str
    """Name of the country."""
    currency: str
    """ISO 4217 code of its currency."""
    enabled: bool
    """Whether the site is open to readers there."""


class CountryList(Resource):
    """All countries, including disabled ones."""

    items: list[CountryItem]
    """The countries in their order."""

    def listed_pages(self, view: ContentView) -> Iterable[LocalizedAddress]:
        """Return the home page of each country."""
        for each in self.items:
            yield LocalizedAddress(Locale(each.code, view.locale.language), Address(HOME_PAGE))


def country_list(view: ContentView) -> CountryList:
    """Return the countries by sortOrder, with names in the view's language."""
    countries = view.snapshot.countries.items()
    return CountryList(items=[_country(view, country, settings) for country, settings in countries])


def country_names(view: ContentView, country: Country) -> list[str]:
    """Return the names of a country in the view's language: the one for titles first."""
    language, settings = view.locale.language, view.snapshot.countries[country]
    written = ((name or {}).get(language) for name in (settings.short_name, settings.name))
    return [name for name in (*written, cldr.country_name(country, language)) if name]


@cached_per_snapshot
def place_names(view: ContentView) -> tuple[tuple[Country, tuple[str, ...]], ...]:
    """Return the open countries, with the names of them and of their cities in both languages."""
    countries = view.snapshot.open.countries
    return tuple((each, tuple(dict.fromkeys(_names_in(view, each)))) for each in countries)


def _names_in(view: ContentView, country: Country) -> Iterator[str]:
    settings = view.snapshot.countries[country]
    for names in (settings.name, settings.short_name):
        yield from (names or {}).values()
    there = view.for_locale(Locale(country, view.locale.language))
    for city in city_list(there).cities:
        yield from city.name.values()


def site_currencies(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the currencies of the site's countries, in their order."""
    return tuple(dict.fromkeys(currency_of(*pair) for pair in snapshot.countries.items()))


def _country(view: ContentView, country: Country, settings: CountryFields) -> CountryItem:
    language = view.locale.language
    return CountryItem(
        code=country,
        slug=country.slug,
        name=(settings.name or {}).get(language) or cldr.country_name(country, language),
        currency=currency_of(country, settings),
        enabled=country in view.snapshot.open.countries,
    )


class CityItem(Resource):
    """One city, with its office."""

    slug: str
    """Slug of the city, as in paths."""
    country_code: CountryCode
    """Country of the city."""
    name: BilingualString
    """Name of the city."""
    focus: Omittable[BilingualString] = None
    """What the company does in the city."""
    industries: Omittable[list[str]] = None
    """Slugs of the sectors it serves there."""
    services: Omittable[list[str]] = None
    """Slugs of the services it offers there."""
    address: Omittable[BilingualString] = None
    """Address of the office."""
    phone: Omittable[str] = None
    """Telephone number of the office."""
    whatsapp: Omittable[str] = None
    """WhatsApp number of the office."""
    hours: Omittable[BilingualString] = None
    """Opening hours of the office, for people."""
    map_url: Omittable[str] = None
    """URL of a map with the office."""
    latitude: Omittable[float] = None
    """Latitude of the office in degrees."""
    longitude: Omittable[float] = None
    """Longitude of the office in degrees."""


class CityList(Resource):
    """The cities of one country."""

    cities: list[CityItem]
    """The cities in their order."""

    def listed_pages(self, view: ContentView) -> Iterable[LocalizedAddress]:
        """Return the pages of the cities."""
        return view.pages_of(CITY, (each.slug for each in self.cities))


def city_list(view: ContentView) -> CityList:
    """Return the cities of the view's country, by sortOrder."""
    return CityList(cities=view.each(view.resolve_all(CITY), lambda city: _city(view, city)))


def _city(view: ContentView, city: Resolved[Any]) -> CityItem:
    fields, slug = city.fields, city.entry.slug
    written = {name: getattr(fields, name, None) for name in CityItem.model_fields}
    name = fields.name or fields.title or {"en": slug.title()}
    own = {"slug": slug, "country_code": view.locale.country, "name": name}
    return CityItem.model_validate({**written, **own})
