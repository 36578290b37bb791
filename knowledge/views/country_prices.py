"""What a country decides about prices: its currency and its rate of VAT."""

from __future__ import annotations

from decimal import Decimal

from knowledge.fields.content_types import SETTINGS
from knowledge.fields.schemas import CountryFields
from knowledge.locales import cldr
from knowledge.locales.locale import Country
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView


def country_settings(snapshot: Snapshot, country: Country | None) -> CountryFields:
    """Return the settings of a country from `countries/`, with its layers merged."""
    return (snapshot.countries.get(country) if country else None) or CountryFields()


def currency_of(country: Country, settings: CountryFields) -> str:
    """Return the ISO 4217 code of a country's currency, by default that of CLDR."""
    return settings.currency or cldr.currency(country)


def price_currency(view: ContentView) -> str | None:
    """Return the ISO 4217 code of the currency of prices: the country's, else the site's own."""
    country = view.locale.country
    if country is not None:
        return currency_of(country, country_settings(view.snapshot, country))
    settings = view.singleton(SETTINGS)
    return settings.fields.currency if settings else None


def vat_rate(view: ContentView) -> Decimal | None:
    """Return the rate of VAT in percent, 0 in a country that has none, None without a country."""
    country = view.locale.country
    if country is None:
        return None
    return country_settings(view.snapshot, country).vat_rate or Decimal(0)
