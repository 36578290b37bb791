"""Which pages a call is about: arguments of a country, a language and a kind of page; and cursors.

A cursor names the last page of a list and the filters of the list. Pages are in the order of their
types and slugs, so a cursor stays right when pages are added or removed, even its own.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Collection
from datetime import UTC, date, datetime, time
from typing import Annotated, Self

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from app.features.mcp.countries import country_named
from app.features.mcp.tool import Arguments, ToolContext, ToolError, not_allowed
from app.platform.clock import parse_instant
from knowledge.addresses.addresses import Address, parse_address
from knowledge.fields.page_type import PAGE_TYPES
from knowledge.locales.locale import Country, Language, Locale
from knowledge.resources.base import enum_schema
from knowledge.resources.search import searched_kinds
from knowledge.views.content_view import ContentView
from renderers.l10n.bidi import detect_language, has_arabic

_UNKNOWN_CURSOR = (
    "cursor: it is not one of this tool. Send next_cursor as list_pages returned it, or no cursor"
    " to begin anew."
)
_RANKS = {page: rank for rank, page in enumerate(PAGE_TYPES.listed)}

PageOrder = tuple[int, str, str]


def page_order(address: Address) -> PageOrder:
    """Return the place of a page in lists, which depends on nothing but its address."""
    return _RANKS[address.page], address.slug, address.city


def _instant(value: object) -> object:
    if not isinstance(value, str):
        return value
    instant = parse_instant(value)
    return instant or datetime.combine(date.fromisoformat(value), time(), UTC)


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


class PageFilters(ReaderArguments):
    """The filters of a list."""

    updated_since: Annotated[
        datetime | None,
        BeforeValidator(_instant),
        WithJsonSchema({"type": "string", "description": "A date or RFC 3339 date-time"}),
    ] = None


class PageListArguments(PageFilters):
    """The filters of a list, its length and where it goes on."""

    cursor: Annotated[str | None, Field(description="The next_cursor of the last call")] = None
    limit: Annotated[int, Field(ge=1, le=100)] = 50

    @property
    def position(self) -> PageCursor:
        """The filters, those of the cursor where none are given; raises ToolError."""
        if self.cursor is None:
            return PageCursor(**self._filters)
        return PageCursor.parse(self.cursor).model_copy(update=self._filters)

    @property
    def _filters(self) -> dict[str, object]:
        return self.model_dump(include=set(PageFilters.model_fields), exclude_none=True)


class PageCursor(PageFilters):
    """The filters of a list, and the path of its last page below the locale."""

    after: str | None = None

    def __str__(self) -> str:
        """Return the cursor as clients send it."""
        content = self.model_dump_json(exclude_none=True).encode()
        return urlsafe_b64encode(content).decode().rstrip("=")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a cursor; raises ToolError."""
        try:
            cursor = cls.model_validate_json(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        except ValueError as error:
            raise ToolError(_UNKNOWN_CURSOR) from error
        if cursor.start is None:
            raise ToolError(_UNKNOWN_CURSOR)
        return cursor

    @property
    def start(self) -> PageOrder | None:
        """The place after which the list goes on, None at its beginning."""
        address = None if self.after is None else parse_address(self.after)
        return page_order(address) if address and address.page in _RANKS else None


def in_language_of(query: str, view: ContentView) -> ContentView:
    """Return the view in the language of a query, by its script, if the site has that language."""
    own = view.locale
    language = Language.AR if has_arabic(query) else detect_language(query, own.language)
    other = own.in_language(language)
    is_other = other != own and other in view.snapshot.open_locales
    return view.for_locale(other) if is_other else view
