"""Countries: as the schemas of tools list those of a site, and as agents name them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any

from indexes.text.words import fold
from knowledge.locales import cldr
from knowledge.locales.locale import Country, Language

_ABBREVIATIONS: Mapping[str, str] = {"KSA": "SA", "UAE": "AE"}
"""Customary codes that are neither of ISO 3166 nor in CLDR."""

_WORD = re.compile(r"[^\W_]+")
_ARTICLE = "ال"
_MAX_CHARACTERS = 100


def country_options(countries: Sequence[Country], language: Language) -> list[dict[str, str]]:
    """Return the countries as the options of a JSON Schema, with their names as titles."""
    return [{"const": each.slug, "title": cldr.country_name(each, language)} for each in countries]


def country_named(text: str, countries: Collection[Country]) -> Country | None:
    """Return the one of some countries that a code or a name means, in either language.

    A name may lack words or have more of them, if it fits one country only.

    >>> gulf = [Country(code) for code in ("AE", "SA", "KW")]
    >>> [country_named(text, gulf) for text in ("ae", "KSA", "U.A.E.", "KWT", "State of Kuwait")]
    ['AE', 'SA', 'AE', 'KW', 'KW']
    >>> [country_named(text, gulf) for text in ("السعودية", "الامارات", "العربية", "Oman", "")]
    ['SA', 'AE', None, None, None]
    """
    code = text.strip().replace(".", "").upper()
    country = Country.parse(_ABBREVIATIONS.get(code) or cldr.country_code(code) or code)
    if country in countries:
        return country
    words = _words(text[:_MAX_CHARACTERS])
    fitting = [
        each
        for each in countries
        if words and any(words <= name or name <= words for name in _names(each))
    ]
    return fitting[0] if len(fitting) == 1 else None


@cache
def _names(country: Country) -> Sequence[frozenset[str]]:
    return [_words(cldr.country_name(country, language)) for language in Language]


def _words(text: str) -> frozenset[str]:
    """Return the words of a name, in any spelling and without the Arabic article."""
    return frozenset(word.removeprefix(_ARTICLE) for word in _WORD.findall(fold(text)))


def with_countries(schema: Mapping[str, Any], options: Sequence[object]) -> Mapping[str, Any]:
    """Return the schema of arguments in which a country is one of these, if it has a country."""
    properties = schema["properties"]
    if "country" not in properties or not options:
        return schema
    country = {**properties["country"], "oneOf": options}
    return {**schema, "properties": {**properties, "country": country}}
