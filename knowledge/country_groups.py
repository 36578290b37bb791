"""Groups of countries whose readers see the same version of a document."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from knowledge.documents import Document
from knowledge.layer_resolution import Entry
from knowledge.locale import Country


def is_country_specific(entry: Entry) -> bool:
    """Return whether a document's visibility or content depends on the country."""
    return any(map(_depends_on_country, entry.documents))


def country_signature(entry: Entry, country: Country, city: str | None) -> object:
    """Return a key that is equal for countries for which the entry resolves equally."""
    if not is_country_specific(entry):
        return None
    return tuple(
        (
            document.layer.covers(country, city),
            document.fields.countries is None or country in document.fields.countries,
            document.fields.only_country in (None, country),
        )
        for document in entry.documents
    )


def group_countries(
    entry: Entry, countries: Iterable[Country], city: str | None = None
) -> Collection[Sequence[Country]]:
    """Group countries whose readers see the same version of the entry."""
    groups: dict[object, list[Country]] = {}
    for country in countries:
        groups.setdefault(country_signature(entry, country, city), []).append(country)
    return groups.values()


def _depends_on_country(document: Document) -> bool:
    return bool(
        document.layer.country
        or document.fields.countries is not None
        or document.fields.only_country
    )
