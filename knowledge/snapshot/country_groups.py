"""Groups of countries whose readers see the same version of a document."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence

from knowledge.documents.document import Document
from knowledge.locales.locale import Country
from knowledge.markdown.memoize import document_cache
from knowledge.snapshot.layer_resolution import Entry, is_shown_in


def is_country_specific(entry: Entry) -> bool:
    """Return whether a document's visibility or content depends on the country."""
    return any(map(_is_country_specific, entry.documents))


def group_countries(
    entry: Entry, countries: Iterable[Country | None], city: str | None = None
) -> Collection[Sequence[Country | None]]:
    """Group countries whose readers see the same version of the entry."""
    if not is_country_specific(entry):
        return [list(countries)]
    groups: dict[Hashable, list[Country | None]] = {}
    for country in countries:
        groups.setdefault(_signature(entry, country, city), []).append(country)
    return groups.values()


@document_cache(4_096)
def _signature(entry: Entry, country: Country | None, city: str | None) -> Hashable:
    """Return a key that is equal for countries for which the entry resolves equally."""
    return tuple(
        (
            document.layer.covers(country, city),
            is_shown_in(document.fields, country),
        )
        for document in _country_specific(entry)
    )


@document_cache(4_096)
def _country_specific(entry: Entry) -> tuple[Document, ...]:
    """Return the layers that not all countries share."""
    return tuple(filter(_is_country_specific, entry.documents))


def _is_country_specific(document: Document) -> bool:
    fields = document.fields
    return bool(document.layer.country or fields.countries is not None or fields.only_country)
