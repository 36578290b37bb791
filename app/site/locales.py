"""The locale of a route's path."""

from __future__ import annotations

from knowledge.errors import NotFound
from knowledge.locale import Country, Language, Locale


def locale_of(country: str, language: str) -> Locale:
    """The locale of a path, whose parts are lower-case slugs."""
    found = Country.parse(country), Language.parse(language)
    if not all(found) or (country, language) != (country.lower(), language.lower()):
        raise NotFound("There is no such locale.", "See /llms.txt for what there is.")
    return Locale(Country(country.upper()), Language(language))
