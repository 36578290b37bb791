"""The visitors of a call: their country and language, and the kind of pages that they want."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Annotated

from pydantic import AfterValidator, Field

from app.features.mcp.tool import Arguments, ToolContext, ToolError, not_allowed
from app.publishing.content.assumed_locale import named_countries
from indexes.text.places import NamedCountries
from indexes.text.words import fold
from knowledge.fields.field_types import enum_schema
from knowledge.locales import cldr
from knowledge.locales.locale import Country, Language, Locale
from knowledge.resources.search import searched_kinds
from knowledge.views.content_view import ContentView

_KINDS = searched_kinds()


def _one_of(known: Collection[str]) -> AfterValidator:
    """Return a validator of words in any letter case."""

    def validate(word: str | None) -> str | None:
        if word is not None and word.lower() not in known:
            raise ValueError
        return word and word.lower()

    return AfterValidator(validate)


_LOWER = AfterValidator(lambda word: word and word.lower())


class VisitorArguments(Arguments):
    """The visitors whose pages are searched or listed, and the kind of the pages."""

    country: Annotated[str | None, Field(description="A country, or its city")] = None
    lang: Annotated[str | None, _one_of(tuple(Language)), enum_schema(Language)] = None
    kind: Annotated[str | None, _LOWER, enum_schema(_KINDS)] = None

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that are asked for, none for all."""
        return (self.kind,) if self.kind else ()

    def view(self, context: ToolContext) -> ContentView:
        """Return what the visitors see who are asked for; raises ToolError."""
        kinds = searched_kinds(context.edition.snapshot.page_types)
        if self.kind and self.kind not in kinds:
            raise ToolError(not_allowed("kind", self.kind, f"one of {', '.join(kinds)}"))
        known = context.edition.snapshot.open
        language = Language(self.lang) if self.lang else context.locale.language
        if language not in known.languages:
            language = context.locale.language
        return context.view(Locale(self._country(context, known.countries), language))

    def _country(self, context: ToolContext, known: Collection[Country]) -> Country | None:
        """Return the country that is asked for; a site without countries ignores it."""
        if not self.country or not known:
            return context.locale.country
        places = named_countries(context.view(context.locale))
        country = country_named(self.country, known, places)
        if country is None:
            codes = f"one of {', '.join(each.slug for each in known)}"
            raise ToolError(not_allowed("country", self.country, codes))
        return country


_ABBREVIATIONS: Mapping[str, str] = {"KSA": "SA", "UAE": "AE"}
"""Customary codes that are neither of ISO 3166 nor in CLDR."""
_WORD = re.compile(r"[^\W_]+")
_ARTICLE = "ال"
_MAX_CHARACTERS = 100


def country_options(countries: Sequence[Country], language: Language) -> list[dict[str, str]]:
    """Return the countries as the options of a JSON Schema, with their names as titles."""
    return [{"const": each.slug, "title": cldr.country_name(each, language)} for each in countries]


def country_named(
    text: str, countries: Collection[Country], places: NamedCountries | None = None
) -> Country | None:
    """Return the one of some countries that a code or a name means, in either language.

    A name may lack words or have more of them, if it fits one country only. It may also be what
    names the country in a question, which `places` finds: a city, a currency or a demonym.

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
    if len(fitting) == 1:
        return fitting[0]
    short = text[:_MAX_CHARACTERS]
    named = (places.named_in(short) or places.named_in(short.upper())) if places else None
    return named if named in countries else None


@cache
def _names(country: Country) -> Sequence[frozenset[str]]:
    return [_words(cldr.country_name(country, language)) for language in Language]


def _words(text: str) -> frozenset[str]:
    """Return the words of a name, in any spelling and without the Arabic article."""
    return frozenset(word.removeprefix(_ARTICLE) for word in _WORD.findall(fold(text)))
