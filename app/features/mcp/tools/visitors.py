"""The visitors of a call: their country and language, and the kind of pages that they want."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated

from pydantic import AfterValidator, Field

from app.features.mcp.tool import Arguments, ToolContext, ToolError, not_allowed
from app.publishing.content.assumed_locale import named_countries
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
        country = named_countries(context.view(context.locale)).meant_by(self.country)
        if country is None:
            codes = f"one of {', '.join(each.slug for each in known)}"
            raise ToolError(not_allowed("country", self.country, codes))
        return country


def country_options(countries: Sequence[Country], language: Language) -> list[dict[str, str]]:
    """Return the countries as the options of a JSON Schema, with their names as titles."""
    return [{"const": each.slug, "title": cldr.country_name(each, language)} for each in countries]
