"""Layers: the country, city and language to which one file of a document applies.

`knowledge.snapshot.layer_resolution` merges them.

erp.md · erp.ar.md | erp.sa.md | erp.sa.ar.md | erp.sa.riyadh.md · erp.sa.riyadh.ar.md
global             | country_default | locale_override | city_override
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cache

from knowledge.locales.locale import Country, Language


class Scope(IntEnum):
    """The four scopes from general to specific; a higher one overrides a lower one."""

    GLOBAL = 0
    COUNTRY_DEFAULT = 1
    LOCALE_OVERRIDE = 2
    CITY_OVERRIDE = 3

    @property
    def label(self) -> str:
        """Return the name in the API, as in `resolvedFrom`.

        >>> Scope.CITY_OVERRIDE.label
        'city_override'
        """
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Layer:
    """The suffixes of a file name: country, city of that country, language."""

    country: Country | None = None
    city: str | None = None
    language: Language | None = None

    @property
    def scope(self) -> Scope:
        """Return the scope of the layer, see the table above.

        >>> Layer(Country("SA"), None, Language.AR).scope.label
        'locale_override'
        """
        if self.city:
            return Scope.CITY_OVERRIDE
        if self.country:
            return Scope.LOCALE_OVERRIDE if self.language else Scope.COUNTRY_DEFAULT
        return Scope.GLOBAL

    @property
    def order(self) -> tuple[bool, bool, bool, str]:
        """Return the sort key: from general to specific, then by language."""
        return bool(self.city), bool(self.country), bool(self.language), self.language or ""

    def covers(self, country: Country | None, city: str | None) -> bool:
        """Return whether the layer applies to that country and city, in any language."""
        return self.country in (None, country) and self.city in (None, city)

    def matches_language(self, language: Language) -> bool:
        """Return whether the layer applies to readers of that language."""
        return self.language in (None, language)

    def __str__(self) -> str:
        parts = (self.country and self.country.slug, self.city, self.language)
        return ".".join(part for part in parts if part) or "global"


@cache
def shared_layer(country: Country | None, city: str | None, language: Language | None) -> Layer:
    """Return one object for equal layers, as many documents have the same."""
    return Layer(country, city, language)
