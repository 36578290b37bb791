"""Audiences: which countries read one and the same version of a document."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from knowledge.documents import Document
from knowledge.locale import Country
from knowledge.resolution import Entry


def is_country_specific(entry: Entry) -> bool:
    """Whether readers of different countries may have different versions of it, or none."""
    return any(map(_names_countries, entry.documents))


def country_signature(entry: Entry, country: Country, city: str | None) -> object:
    """All that resolution makes of a country: which layers cover it, and which let it in."""
    if not is_country_specific(entry):
        return None
    return tuple(
        (
            document.layer.covers(country, city),
            country in document.metadata.get("countries", Country),
            document.metadata.get("country_code", country) is country,
        )
        for document in entry.documents
    )


def group_countries(
    entry: Entry, countries: Iterable[Country], city: str | None = None
) -> Collection[Sequence[Country]]:
    """The countries, those together whose readers have one and the same version."""
    alike: dict[object, list[Country]] = {}
    for country in countries:
        alike.setdefault(country_signature(entry, country, city), []).append(country)
    return alike.values()


def _names_countries(document: Document) -> bool:
    return bool(
        document.layer.country
        or "countries" in document.metadata
        or "country_code" in document.metadata
    )
