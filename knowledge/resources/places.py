"""Places: the list of the site's countries, and the list of the cities of a country."""

from __future__ import annotations

from knowledge.fields.content_types import CITY
from knowledge.fields.field_types import BilingualString, Omittable
from knowledge.fields.schemas import CityFields, CountryFields
from knowledge.locales import cldr
from knowledge.locales.locale import Country
from knowledge.resources.base import CountryCode, CountrySlug, Resource
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView, currency_of


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


def country_list(view: ContentView) -> CountryList:
    """Return the countries by sortOrder, with names in the view's language."""
    countries = view.snapshot.countries.items()
    return CountryList(items=[_country(view, country, settings) for country, settings in countries])


def country_names(view: ContentView, country: Country) -> list[str]:
    """Return the names of a country in the view's language: the one for titles first."""
    language, settings = view.locale.language, view.snapshot.countries[country]
    written = ((name or {}).get(language) for name in (settings.short_name, settings.name))
    return [name for name in (*written, cldr.country_name(country, language)) if name]


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
    """One city, with its office; `industries` and `services` are slugs."""

    slug: str
    """Slug of the city, as in paths."""
    country_code: CountryCode
    """Country of the city."""
    name: BilingualString
    """Name of the city."""
    focus: Omittable[BilingualString] = None
    """What the company does in the city."""
    industries: Omittable[list[str]] = None
    """Slugs of the industries it serves there."""
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


def city_list(view: ContentView) -> CityList:
    """Return the cities of the view's country, by sortOrder."""
    return CityList(cities=view.each(view.resolve_all(CITY), lambda city: _city(view, city)))


def _city(view: ContentView, city: Resolved[CityFields]) -> CityItem:
    fields = city.fields
    return CityItem(
        slug=city.entry.slug,
        country_code=view.locale.country,
        name=fields.name or fields.title or {"en": city.entry.slug.title()},
        focus=fields.focus,
        industries=fields.industries,
        services=fields.services,
        address=fields.address,
        phone=fields.phone,
        whatsapp=fields.whatsapp,
        hours=fields.hours,
        map_url=fields.map_url,
        latitude=fields.latitude,
        longitude=fields.longitude,
    )
