"""The list of the site's countries."""

from __future__ import annotations

from knowledge.fields.schemas import CountryFields
from knowledge.locales import cldr
from knowledge.locales.locale import Country
from knowledge.resources.base import CountryCode, CountrySlug, Resource
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView
from knowledge.views.country_prices import currency_of


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
    return CountryList(items=[_item(view, country, settings) for country, settings in countries])


def country_names(view: ContentView, country: Country) -> list[str]:
    """Return the names of a country in the view's language: the one for titles first."""
    language, settings = view.locale.language, view.snapshot.countries[country]
    written = ((name or {}).get(language) for name in (settings.short_name, settings.name))
    return [name for name in (*written, cldr.country_name(country, language)) if name]


def site_currencies(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the currencies of the site's countries, in their order."""
    return tuple(dict.fromkeys(currency_of(*pair) for pair in snapshot.countries.items()))


def _item(view: ContentView, country: Country, settings: CountryFields) -> CountryItem:
    language = view.locale.language
    return CountryItem(
        code=country,
        slug=country.slug,
        name=(settings.name or {}).get(language) or cldr.country_name(country, language),
        currency=currency_of(country, settings),
        enabled=country in view.snapshot.open.countries,
    )
