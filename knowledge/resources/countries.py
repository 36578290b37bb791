"""The list of the six supported countries."""

from __future__ import annotations

from typing import Annotated

from knowledge import cldr
from knowledge.content_types import COUNTRY
from knowledge.content_view import ContentView
from knowledge.locale import Country
from knowledge.merging import merge
from knowledge.resources.base import Resource, enum_schema
from knowledge.schemas import CountryFields
from knowledge.snapshot import Snapshot


class CountryItem(Resource):
    """One country; `currency` is its ISO 4217 code."""

    code: Country
    slug: Annotated[str, enum_schema(country.slug for country in Country)]
    name: str
    currency: str
    enabled: bool


class CountryList(Resource):
    """All countries, including disabled ones."""

    items: list[CountryItem]


def country_list(view: ContentView) -> CountryList:
    """Return the six countries by sortOrder, with names in the view's language."""
    settings = {country: country_settings(view.snapshot, country) for country in Country}
    ordered = sorted(Country, key=lambda country: _order(settings[country]))
    return CountryList(items=[_item(view, country, settings[country]) for country in ordered])


def country_settings(snapshot: Snapshot, country: Country) -> CountryFields:
    """Return the settings of a country from `countries/`, with its layers merged."""
    layers = (
        document.fields
        for entry in snapshot.all(COUNTRY)
        for document in entry.documents
        if (document.fields.code or Country.parse(entry.slug)) is country
    )
    return merge((CountryFields(), *layers))


def _order(settings: CountryFields) -> int:
    return 1_000 if settings.sort_order is None else settings.sort_order


def _item(view: ContentView, country: Country, settings: CountryFields) -> CountryItem:
    language = view.locale.language
    return CountryItem(
        code=country,
        slug=country.slug,
        name=(settings.name or {}).get(language) or cldr.country_name(country, language),
        currency=settings.currency or cldr.currency(country),
        enabled=country in view.snapshot.open_countries,
    )
