"""Query parameters: each is declared once, for both documentation and parsing.

Parsing returns a typed value, or raises an error that names the parameter and what it allows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Generic, TypeVar

from quart import request

from app.services import edition, services
from knowledge.addresses import Variants
from knowledge.content_view import ContentView
from knowledge.errors import InvalidArgument
from knowledge.locale import DEFAULT_LOCALE, Country, Language, Locale

LONGEST_SEARCH = 200

Option = TypeVar("Option", bound=StrEnum)
_INTEGER = re.compile(r"[+-]?\d{1,1000}", re.ASCII)
"""Longer numbers are slow to parse, and no parameter needs them."""


def text(name: str) -> str | None:
    """Return a query value; an empty one counts as absent."""
    return request.args.get(name) or None


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """The documentation of a query parameter."""

    name: str
    description: str
    example: str | int

    @property
    def required(self) -> bool:
        """Whether the parameter is required."""
        return False

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of its value."""
        return {"type": "string"}


WITHOUT_NUL = r"^[^\x00]*$"
"""Pattern of query values: a URL with a NUL character is refused."""
WITHOUT_CONTROLS = r"^[^\x00-\x1f\x7f]*$"
"""Pattern of path segments: a path with a control character is refused."""


@dataclass(frozen=True, kw_only=True)
class TextParameter(Parameter):
    """An optional text of up to `longest` characters."""

    example: str
    longest: int | None = None

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema, with the maximum length if there is one."""
        longest = {"maxLength": self.longest} if self.longest else {}
        return {"type": "string", "pattern": WITHOUT_NUL, **longest}

    def read(self) -> str | None:
        """Read the text from the current request; raises InvalidArgument."""
        value = text(self.name)
        if value is not None and self.longest is not None and len(value) > self.longest:
            problem = f"it has {len(value):,} characters"
            raise InvalidArgument(self.name, problem, f"at most {self.longest} characters")
        return value


@dataclass(frozen=True, kw_only=True)
class RequiredTextParameter(Parameter):
    """A required text; `allowed` describes it in the error if it is missing."""

    example: str
    allowed: str

    @property
    def required(self) -> bool:
        """Always True."""
        return True

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema; an empty text counts as missing."""
        return {"type": "string", "minLength": 1, "pattern": WITHOUT_NUL}

    def read(self) -> str:
        """Read the text from the current request; raises InvalidArgument."""
        value = text(self.name)
        if value is None:
            raise InvalidArgument(self.name, "this parameter is required", self.allowed)
        return value


@dataclass(frozen=True, kw_only=True)
class IntegerParameter(Parameter):
    """An integer within bounds."""

    example: int
    default: int
    low: int
    high: int | None = None

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema, with bounds and default."""
        maximum = {} if self.high is None else {"maximum": self.high}
        return {"type": "integer", "minimum": self.low, **maximum, "default": self.default}

    def read(self) -> int:
        """Read the number from the current request; raises InvalidArgument."""
        value = text(self.name)
        if value is None:
            return self.default
        if not _INTEGER.fullmatch(value):
            raise InvalidArgument(self.name, f"“{value}” is not an integer", self._allowed)
        number = int(value)
        if number < self.low or (self.high is not None and number > self.high):
            raise InvalidArgument(self.name, f"{number} is out of range", self._allowed)
        return number

    @property
    def _allowed(self) -> str:
        return f"an integer from {self.low}" + (f" to {self.high}" if self.high else "")


@dataclass(frozen=True, kw_only=True)
class EnumParameter(Parameter, Generic[Option]):
    """One of several options; `fold` converts a value to the letter case of the options."""

    example: Option
    options: type[Option]
    default: Option
    fold: Callable[[str], str]

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema, with the options and the default."""
        return {"type": "string", "enum": list(self.options), "default": self.default}

    def read(self) -> Option:
        """Read the option from the current request; raises InvalidArgument."""
        value = text(self.name)
        if value is None:
            return self.default
        option = {str(option): option for option in self.options}.get(self.fold(value))
        if option is None:
            allowed = _listed(self.options)
            raise InvalidArgument(self.name, f"“{value}” is not supported", allowed)
        return option


def _listed(options: Iterable[str]) -> str:
    words = list(options)
    return " or ".join(words) if len(words) == 2 else "one of " + ", ".join(words)


COUNTRY = EnumParameter(
    name="country",
    description="Country code of the reader; its slug and any letter case are accepted too.",
    example=Country.SA,
    options=Country,
    default=DEFAULT_LOCALE.country,
    fold=str.upper,
)
LANG = EnumParameter(
    name="lang",
    description="Language of the reader, in any letter case.",
    example=Language.EN,
    options=Language,
    default=DEFAULT_LOCALE.language,
    fold=str.lower,
)
LOCALE = (COUNTRY, LANG)
"""The parameters that `view` reads."""

CATEGORY = TextParameter(
    name="category",
    description="Slug or id of a category; an unknown one returns an empty list.",
    example="erp-guides",
)
SEARCH = TextParameter(
    name="search",
    description=(
        "Words that must all occur in the title or excerpt; spelling variants, inflections and "
        "parts of words match too. Best match first."
    ),
    example="inventory",
    longest=LONGEST_SEARCH,
)
SITE_SEARCH = replace(SEARCH, name="q")
PAGE = IntegerParameter(
    name="page",
    description="Page of the list, from 1; a page past the last is empty.",
    example=1,
    default=1,
    low=1,
)
PAGE_SIZE = IntegerParameter(
    name="pageSize", description="Posts per page.", example=2, default=9, low=1, high=24
)
LIMIT = IntegerParameter(
    name="limit",
    description="Number of posts in the preview besides the featured one.",
    example=3,
    default=3,
    low=1,
    high=6,
)
POSTS = (CATEGORY, SEARCH, PAGE, PAGE_SIZE)
"""The parameters that `search_requests.posts` reads."""


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
