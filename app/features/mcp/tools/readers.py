"""Whose pages a call is about: the arguments of a country, a language and a kind of page."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated

from pydantic import AfterValidator, Field

from app.features.mcp.arguments import Arguments, not_allowed
from app.features.mcp.countries import country_named
from app.features.mcp.tool import ToolContext, ToolError
from knowledge.locales.locale import Country, Language, Locale
from knowledge.resources.base import enum_schema
from knowledge.resources.search import searched_kinds
from knowledge.views.content_view import ContentView
from renderers.l10n.bidi import detect_language, has_arabic

_KINDS = searched_kinds()


def _one_of(known: Collection[str]) -> AfterValidator:
    """Return a validator of words in any letter case."""

    def validate(word: str | None) -> str | None:
        if word is not None and word.lower() not in known:
            raise ValueError
        return word and word.lower()

    return AfterValidator(validate)


class ReaderArguments(Arguments):
    """The readers whose pages are searched or listed, and the kind of the pages."""

    country: Annotated[str | None, Field(description="A country by code or name")] = None
    lang: Annotated[str | None, _one_of(tuple(Language)), enum_schema(Language)] = None
    kind: Annotated[str | None, _one_of(_KINDS), enum_schema(_KINDS)] = None

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that are asked for, none for all."""
        return (self.kind,) if self.kind else ()

    def view(self, context: ToolContext) -> ContentView:
        """Return what the readers see who are asked for; raises ToolError."""
        known = context.edition.snapshot.open
        language = Language(self.lang) if self.lang else context.locale.language
        if language not in known.languages:
            language = context.locale.language
        return context.view(Locale(self._country(context, known.countries), language))

    def _country(self, context: ToolContext, known: Collection[Country]) -> Country | None:
        """Return the country that is asked for; a site without countries ignores it."""
        if not self.country or not known:
            return context.locale.country
        country = country_named(self.country, known)
        if country is None:
            codes = f"one of {', '.join(each.slug for each in known)}"
            raise ToolError(not_allowed("country", self.country, codes))
        return country


def in_language_of(query: str, view: ContentView) -> ContentView:
    """Return the view in the language of a query, by its script, if the site has that language."""
    own = view.locale
    language = Language.AR if has_arabic(query) else detect_language(query, own.language)
    other = own.in_language(language)
    is_other = other != own and other in view.snapshot.open_locales
    return view.for_locale(other) if is_other else view
