"""Places: the countries, cities and languages of a site, of which its locales consist."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property

from knowledge.fields.merging import merge
from knowledge.fields.schemas import CountryFields
from knowledge.locales.locale import Country, Language, Locales

_UNORDERED = 1_000
"""The place of a country without a `sortOrder`."""

Countries = Mapping[Country, CountryFields]
"""The settings of each country of a site, in the order in which the site lists them."""


@dataclass(frozen=True)
class Places:
    """The countries and cities of a site; each city has a country."""

    countries: Countries = field(default_factory=dict)
    cities: Mapping[str, Country] = field(default_factory=dict)
    languages: tuple[Language, ...] = tuple(Language)
    """The languages of the site, the main one first."""

    @cached_property
    def by_slug(self) -> Mapping[str, Country]:
        """The countries by slug."""
        return {country.slug: country for country in self.countries}

    @cached_property
    def locales(self) -> Locales:
        """The locales of the site."""
        return Locales(tuple(self.countries) or (None,), self.languages)

    def changed_names(self, before: Places) -> AbstractSet[str]:
        """Return the parts of file names that have another meaning than before."""
        cities = self.cities.items() ^ before.cities.items()
        return (self.by_slug.keys() ^ before.by_slug.keys()) | {slug for slug, _ in cities}


NOWHERE = Places()


def countries_of(layers: Iterable[tuple[Country, CountryFields]]) -> Countries:
    """Return the countries of files, given from general to specific, by sortOrder, then code."""
    by_country: dict[Country, list[CountryFields]] = {}
    for country, fields in layers:
        by_country.setdefault(country, [CountryFields()]).append(fields)
    merged = {country: merge(fields) for country, fields in by_country.items()}
    return dict(sorted(merged.items(), key=_order))


def _order(item: tuple[Country, CountryFields]) -> tuple[int, Country]:
    country, fields = item
    return _UNORDERED if fields.sort_order is None else fields.sort_order, country
