"""The list of the six supported countries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from knowledge import cldr
from knowledge.content_types import COUNTRY
from knowledge.content_view import ContentView
from knowledge.layer_resolution import merge_layers
from knowledge.locale import Country
from knowledge.resources.base import Resource, enum_schema
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
    ordered = sorted(Country, key=lambda country: settings[country].get("sort_order", 1_000))
    return CountryList(items=[_item(view, country, settings[country]) for country in ordered])


def country_settings(snapshot: Snapshot, country: Country) -> Mapping[str, Any]:
    """Return the settings of a country from `countries/`, with its layers merged."""
    documents = [
        document.metadata
        for entry in snapshot.all(COUNTRY)
        for document in entry.documents
        if document.metadata.get("code", Country.parse(entry.slug)) is country
    ]
    return merge_layers(documents)


def _item(view: ContentView, country: Country, settings: Mapping[str, Any]) -> CountryItem:
    language = view.locale.language
    return CountryItem(
        code=country,
        slug=country.slug,
        name=settings.get("name", {}).get(language) or cldr.country_name(country, language),
        currency=settings.get("currency") or cldr.currency(country),
        enabled=country in view.snapshot.open_countries,
    )
