"""Query parameters: each declared once, for its documentation and for its reading.

A text from a URL becomes a value, or an error that names the parameter and what it allows.
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
"""Longer ones are slow to read, and no page is that far."""


def text(name: str) -> str | None:
    """A query value; an empty one is an absent one."""
    return request.args.get(name) or None


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """What all parameters tell of themselves."""

    name: str
    description: str
    example: str | int

    @property
    def required(self) -> bool:
        """Whether it is an error to leave it out."""
        return False

    @property
    def schema(self) -> dict[str, Any]:
        """Its JSON Schema."""
        return {"type": "string"}


WITHOUT_NUL = r"^[^\x00]*$"
"""Any text that a URL may hold: one with the NUL character is refused as a whole."""
WITHOUT_CONTROLS = r"^[^\x00-\x1f\x7f]*$"
"""Any part of a path: one with a control character is refused before it is routed."""


@dataclass(frozen=True, kw_only=True)
class TextParameter(Parameter):
    """Any text of up to `longest` characters, or none."""

    example: str
    longest: int | None = None

    @property
    def schema(self) -> dict[str, Any]:
        """The greatest length, where there is one."""
        longest = {"maxLength": self.longest} if self.longest else {}
        return {"type": "string", "pattern": WITHOUT_NUL, **longest}

    def read(self) -> str | None:
        """The text of the current request; raises InvalidArgument."""
        written = text(self.name)
        if written is not None and self.longest is not None and len(written) > self.longest:
            problem = f"it has {len(written):,} characters"
            raise InvalidArgument(self.name, problem, f"at most {self.longest} characters")
        return written


@dataclass(frozen=True, kw_only=True)
class RequiredTextParameter(Parameter):
    """Any text, but not none; `allowed` says what is meant."""

    example: str
    allowed: str

    @property
    def required(self) -> bool:
        """Always."""
        return True

    @property
    def schema(self) -> dict[str, Any]:
        """An empty text counts as none."""
        return {"type": "string", "minLength": 1, "pattern": WITHOUT_NUL}

    def read(self) -> str:
        """The text of the current request; raises InvalidArgument."""
        written = text(self.name)
        if written is None:
            raise InvalidArgument(self.name, "it is missing", self.allowed)
        return written


@dataclass(frozen=True, kw_only=True)
class IntegerParameter(Parameter):
    """A whole number within bounds."""

    example: int
    default: int
    low: int
    high: int | None = None

    @property
    def schema(self) -> dict[str, Any]:
        """Bounds and default."""
        most = {} if self.high is None else {"maximum": self.high}
        return {"type": "integer", "minimum": self.low, **most, "default": self.default}

    def read(self) -> int:
        """The number in the current request; raises InvalidArgument."""
        written = text(self.name)
        if written is None:
            return self.default
        if not _INTEGER.fullmatch(written):
            raise InvalidArgument(self.name, f"“{written}” is no integer", self._allowed)
        number = int(written)
        if number < self.low or (self.high is not None and number > self.high):
            raise InvalidArgument(self.name, f"{number} is out of range", self._allowed)
        return number

    @property
    def _allowed(self) -> str:
        return f"an integer from {self.low}" + (f" to {self.high}" if self.high else "")


@dataclass(frozen=True, kw_only=True)
class EnumParameter(Parameter, Generic[Option]):
    """One of a few words; `fold` brings a word to the case that the options have."""

    example: Option
    options: type[Option]
    default: Option
    fold: Callable[[str], str]

    @property
    def schema(self) -> dict[str, Any]:
        """The words and the default."""
        return {"type": "string", "enum": list(self.options), "default": self.default}

    def read(self) -> Option:
        """The option in the current request; raises InvalidArgument."""
        written = text(self.name)
        if written is None:
            return self.default
        found = {str(option): option for option in self.options}.get(self.fold(written))
        if found is None:
            allowed = _listed(self.options)
            raise InvalidArgument(self.name, f"“{written}” is not served", allowed)
        return found


def _listed(options: Iterable[str]) -> str:
    words = list(options)
    return " or ".join(words) if len(words) == 2 else "one of " + ", ".join(words)


COUNTRY = EnumParameter(
    name="country",
    description="Country of the reader, as its code; its slug and any case are taken too.",
    example=Country.SA,
    options=Country,
    default=DEFAULT_LOCALE.country,
    fold=str.upper,
)
LANG = EnumParameter(
    name="lang",
    description="Language of the reader, in any case.",
    example=Language.EN,
    options=Language,
    default=DEFAULT_LOCALE.language,
    fold=str.lower,
)
LOCALE = (COUNTRY, LANG)
"""What `view` reads."""

CATEGORY = TextParameter(
    name="category",
    description="Slug or id of a category; an unknown one gives an empty list.",
    example="erp-guides",
)
SEARCH = TextParameter(
    name="search",
    description=(
        "Words that must all be in title or excerpt, in any spelling, inflection or part; "
        "best match first."
    ),
    example="inventory",
    longest=LONGEST_SEARCH,
)
SITE_SEARCH = replace(SEARCH, name="q")
PAGE = IntegerParameter(
    name="page",
    description="Page of the list, from 1; one past the last is empty.",
    example=1,
    default=1,
    low=1,
)
PAGE_SIZE = IntegerParameter(
    name="pageSize", description="Posts on a page.", example=2, default=9, low=1, high=24
)
LIMIT = IntegerParameter(
    name="limit",
    description="Posts of the preview beside the featured one.",
    example=3,
    default=3,
    low=1,
    high=6,
)
POSTS = (CATEGORY, SEARCH, PAGE, PAGE_SIZE)
"""What `searching.posts` reads."""


def view(by_country: bool = True, by_language: bool = True) -> ContentView:
    """The current edition as the reader of this request has it."""
    return view_of(
        Locale(
            COUNTRY.read() if by_country else DEFAULT_LOCALE.country,
            LANG.read() if by_language else DEFAULT_LOCALE.language,
        )
    )


def view_of(locale: Locale) -> ContentView:
    """The current edition at this instant as readers of a locale have it."""
    at = services()
    return ContentView(edition().snapshot, locale, at.clock(), at.settings.public_url)


def main_view() -> ContentView:
    """The same for readers of no locale in particular: of AE in English, where that is open."""
    locales = edition().snapshot.open_locales
    return view_of(Variants(locales).default or DEFAULT_LOCALE)
