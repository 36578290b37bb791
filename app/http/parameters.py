"""Query parameters: each is declared once, for both documentation and parsing.

Parsing returns a typed value, or raises an error that names the parameter and what it allows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

from quart import request

from app.services import edition, services
from knowledge.addresses import Variants
from knowledge.content_view import ContentView
from knowledge.errors import InvalidArgument
from knowledge.locale import DEFAULT_LOCALE, Country, Language, Locale

LONGEST_SEARCH = 200
WITHOUT_NUL = r"^[^\x00]*$"
"""Pattern of query values: a URL with a NUL character is refused."""
WITHOUT_CONTROLS = r"^[^\x00-\x1f\x7f]*$"
"""Pattern of path segments: a path with a control character is refused."""
_INTEGER = re.compile(r"[+-]?\d{1,1000}", re.ASCII)
"""Longer numbers are slow to parse, and no parameter needs them."""

Value = TypeVar("Value")
Option = TypeVar("Option", bound=StrEnum)
IntegerOrNone = TypeVar("IntegerOrNone", int, None)


@dataclass(frozen=True)
class Parameter(Generic[Value]):
    """A query parameter: its documentation, and how its value is read.

    `parse` raises ValueError with the problem of a value; `allowed` describes other values. An
    absent or empty value gives the default, or is an error if the parameter is required.
    """

    name: str
    description: str
    example: str | int
    schema: Mapping[str, Any]
    """The JSON Schema of its value."""

    parse: Callable[[str], Value]
    default: Value
    allowed: str = ""
    required: bool = False

    def read(self) -> Value:
        """Read the value from the current request; raises InvalidArgument."""
        value = request.args.get(self.name)
        if not value and not self.required:
            return self.default
        try:
            return self.parse(value or "")
        except ValueError as error:
            raise InvalidArgument(self.name, str(error), self.allowed) from None


AnyParameter = Parameter[Any]


def text(
    name: str, description: str, *, example: str, longest: int | None = None
) -> Parameter[str | None]:
    """Return an optional text of up to `longest` characters."""

    def parse(value: str) -> str:
        if longest is not None and len(value) > longest:
            raise ValueError(f"it has {len(value):,} characters")
        return value

    limit = {"maxLength": longest} if longest else {}
    schema = {"type": "string", "pattern": WITHOUT_NUL, **limit}
    allowed = f"at most {longest} characters"
    return Parameter(name, description, example, schema, parse, None, allowed)


def required_text(name: str, description: str, *, example: str, allowed: str) -> Parameter[str]:
    """Return a required text; an empty one counts as missing."""

    def parse(value: str) -> str:
        if not value:
            raise ValueError("this parameter is required")
        return value

    schema = {"type": "string", "minLength": 1, "pattern": WITHOUT_NUL}
    return Parameter(name, description, example, schema, parse, "", allowed, required=True)


def integer(
    name: str,
    description: str,
    *,
    example: int,
    default: IntegerOrNone,
    low: int,
    high: int | None = None,
) -> Parameter[int | IntegerOrNone]:
    """Return an integer within bounds."""

    def parse(value: str) -> int:
        if not _INTEGER.fullmatch(value):
            raise ValueError(f"“{value}” is not an integer")
        number = int(value)
        if number < low or (high is not None and number > high):
            raise ValueError(f"{number} is out of range")
        return number

    limits = {"minimum": low, "maximum": high, "default": default}
    given = {name: limit for name, limit in limits.items() if limit is not None}
    allowed = f"an integer from {low}" + (f" to {high}" if high else "")
    return Parameter(
        name, description, example, {"type": "integer", **given}, parse, default, allowed
    )


def choice(
    name: str, description: str, *, example: Option, default: Option, fold: Callable[[str], str]
) -> Parameter[Option]:
    """Return one of several options; `fold` converts a value to their letter case."""
    options = {str(option): option for option in type(default)}
    words = list(options)

    def parse(value: str) -> Option:
        if fold(value) not in options:
            raise ValueError(f"“{value}” is not supported")
        return options[fold(value)]

    schema = {"type": "string", "enum": words, "default": default}
    allowed = " or ".join(words) if len(words) == 2 else "one of " + ", ".join(words)
    return Parameter(name, description, example, schema, parse, default, allowed)


COUNTRY = choice(
    "country",
    "Country code of the reader; its slug and any letter case are accepted too.",
    example=Country.SA,
    default=DEFAULT_LOCALE.country,
    fold=str.upper,
)
LANG = choice(
    "lang",
    "Language of the reader, in any letter case.",
    example=Language.EN,
    default=DEFAULT_LOCALE.language,
    fold=str.lower,
)
LOCALE = (COUNTRY, LANG)
"""The parameters that `view` reads."""

CATEGORY = text(
    "category",
    "Slug or id of a category; an unknown one returns an empty list.",
    example="erp-guides",
)
SEARCH = text(
    "search",
    "Words that must all occur in the title or excerpt; spelling variants, inflections and "
    "parts of words match too. Best match first.",
    example="inventory",
    longest=LONGEST_SEARCH,
)
SITE_SEARCH = text(
    "q",
    "A question or words. Any word may match; pages with all of them come first.",
    example="how long does a rollout take",
    longest=LONGEST_SEARCH,
)
PAGE = integer(
    "page", "Page of the list, from 1; a page past the last is empty.", example=1, default=1, low=1
)
PAGE_SIZE = integer("pageSize", "Posts per page.", example=2, default=9, low=1, high=24)
LIMIT = integer(
    "limit",
    "Number of posts in the preview besides the featured one.",
    example=3,
    default=3,
    low=1,
    high=6,
)
POSTS = (CATEGORY, SEARCH, PAGE, PAGE_SIZE)
"""The parameters that `search_requests.posts` reads."""


def hinted_country() -> Country | None:
    """Return the country sent by a trusted proxy; None if it is absent or not supported."""
    if not services().proxies.trusts(request.remote_addr):
        return None
    return Country.parse(request.headers.get(services().settings.country_header, ""))


def view(by_country: bool = True, by_language: bool = True) -> ContentView:
    """Return the current edition for the locale of the current request."""
    return view_of(
        Locale(
            COUNTRY.read() if by_country else DEFAULT_LOCALE.country,
            LANG.read() if by_language else DEFAULT_LOCALE.language,
        )
    )


def view_of(locale: Locale) -> ContentView:
    """Return the current edition for a locale at the current time."""
    now, public_url = services().clock(), services().settings.public_url
    return ContentView(edition().snapshot, locale, now, public_url)


def main_view() -> ContentView:
    """Return the current edition for the default locale: English in AE, if that is open."""
    locales = edition().snapshot.open_locales
    return view_of(Variants(locales).default or DEFAULT_LOCALE)
