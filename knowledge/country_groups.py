"""Groups of countries whose readers see the same version of a document."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from knowledge.documents import Document
from knowledge.layer_resolution import Entry
from knowledge.locale import Country


def is_country_specific(entry: Entry) -> bool:
    """Return whether a document's visibility or content depends on the country."""
    return any(map(_depends_on_country, entry.documents))


def group_countries(
    entry: Entry, countries: Iterable[Country], city: str | None = None
) -> Collection[Sequence[Country]]:
    """Group countries whose readers see the same version of the entry."""
    if not is_country_specific(entry):
        return [list(countries)]
    groups: dict[object, list[Country]] = {}
    for country in countries:
        groups.setdefault(_signature(entry, country, city), []).append(country)
    return groups.values()


def _signature(entry: Entry, country: Country, city: str | None) -> object:
    """Return a key that is equal for countries for which the entry resolves equally."""
    return tuple(
        (
            document.layer.covers(country, city),
            country in document.metadata.get("countries", Country),
            document.metadata.get("country_code", country) is country,
        )
        for document in entry.documents
    )


def _depends_on_country(document: Document) -> bool:
    return bool(
        document.layer.country
        or "countries" in document.metadata
        or "country_code" in document.metadata
    )
