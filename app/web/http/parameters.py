"""Query parameters: each is declared once, for both documentation and parsing.

Parsing returns a typed value, or raises an error that names the parameter and what it allows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar, get_args

from pydantic.alias_generators import to_camel
from quart import request

from app.platform.submitted_fields import is_absent
from app.services import edition, services
from knowledge.diagnostics.messages import Text
from knowledge.locales.locale import Country, Language, Locale, Locales
from knowledge.resources.base import Resource
from knowledge.resources.errors import InvalidArgument
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView

NOT_BLANK = r"^[\x1c-\x1f\x85\s]*[^\x00\x1c-\x1f\x85\s][^\x00]*$"
"""Pattern of required ones; the characters named are white space in Python, but not in patterns."""
WITHOUT_CONTROLS = r"^[^\x00-\x1f\x7f]*$"
"""Pattern of path segments: a path with a control character is refused."""

Value = TypeVar("Value")
Option = TypeVar("Option", bound=str)


def argument(name: str) -> str | None:
    """Return the value of a query parameter; of a repeated one, the first that is not empty."""
    return next(iter(arguments(name)), None)


def arguments(name: str) -> list[str]:
    """Return the values of a query parameter that are not empty."""
    return [each for each in request.args.getlist(name) if not is_absent(each)]


@dataclass(frozen=True)
class Parameter(Generic[Value]):
    """A query parameter: its documentation, and how its value is read.

    `parse` raises ValueError with the problem of a value; `allowed` describes other values. An
    absent or blank value gives the default, or is an error if the parameter is required.
    """

    name: str
    description: str
    example: str | int | None
    """None if no value suits all sites."""

    schema: Mapping[str, Any]
    """The JSON Schema of its value."""

    parse: Callable[[str], Value]
    default: Value
    allowed: str = ""
    required: bool = False
    repeats: bool = False
    """Whether all values of a repeated parameter count, joined by commas, not only one."""

    def read(self) -> Value:
        """Read the value from the current request; raises InvalidArgument."""
        value = ",".join(arguments(self.name)) if self.repeats else argument(self.name)
        return self.value_of(value)

    def value_of(self, value: str | None) -> Value:
        """Return what a value of a query means, or its absence; raises InvalidArgument."""
        if is_absent(value) and not self.required:
            return self.default
        try:
            return self.parse(value or "")
        except ValueError as error:
            raise InvalidArgument(self.name, str(error), self.allowed) from None


LONGEST_SEARCH = 200
WITHOUT_NUL = r"^[^\x00]*$"
"""Pattern of query values: a URL with a NUL character is refused."""


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
    allowed = Text("at most {} characters", longest)
    return Parameter(name, description, example, schema, parse, None, allowed)


def required_text(name: str, description: str, *, example: str, allowed: str) -> Parameter[str]:
    """Return a required text; one that is empty or blank counts as missing."""

    def parse(value: str) -> str:
        if not value:
            raise ValueError("this parameter is required")
        return value

    schema = {"type": "string", "minLength": 1, "pattern": NOT_BLANK}
    return Parameter(name, description, example, schema, parse, "", allowed, required=True)


def some_of(
    name: str, known: Sequence[str], description: str, *, example: str, allowed: str, wrong: str
) -> Parameter[tuple[str, ...]]:
    """Return a list of known names, separated by commas; `wrong` says of another what it is not."""

    def parse(value: str) -> tuple[str, ...]:
        chosen = tuple(each.strip() for each in value.split(","))
        unknown = next((each for each in chosen if each not in known), None)
        if unknown is not None:
            raise ValueError(f"“{unknown}” is not {wrong}")
        return chosen

    pattern = "|".join(each.replace(".", r"\.") for each in known)
    schema = {"type": "string", "pattern": f"^({pattern})(,({pattern}))*$"}
    return Parameter(name, description, example, schema, parse, (), Text("{} {}", allowed, known))


def fields_of(model: type[Resource]) -> Parameter[tuple[str, ...]]:
    """Return the parameter that chooses fields of a model, those of its parts by `part.field`."""
    names = tuple(_field_names(model))
    return some_of(
        "fields",
        names,
        f"Only these fields in JSON, separated by commas: {', '.join(names)}. Others are absent,"
        " also those that the schema requires. Default: all.",
        example=",".join(each for each in names if "." not in each),
        allowed="some of",
        wrong="a field",
    )


def _field_names(model: type[Resource], above: str = "") -> Iterator[str]:
    """Yield the names of fields in JSON, each followed by those of its parts."""
    for name, field in model.model_fields.items():
        if field.exclude:
            continue
        path = f"{above}{to_camel(name)}"
        yield path
        for part in (field.annotation, *get_args(field.annotation)):
            if isinstance(part, type) and issubclass(part, Resource):
                yield from _field_names(part, f"{path}.")


_INTEGER = re.compile(r"[+-]?\d{1,1000}", re.ASCII)
"""Longer numbers are slow to parse, and no parameter needs them."""

IntegerOrNone = TypeVar("IntegerOrNone", int, None)


def integer(
    name: str,
    description: str,
    *,
    example: int,
    default: IntegerOrNone,
    low: int,
    high: int | None = None,
    format: str = "",  # noqa: A002  # the keyword of JSON Schema
) -> Parameter[int | IntegerOrNone]:
    """Return an integer within bounds; one of more than 32 bits needs the format `int64`."""

    def parse(value: str) -> int:
        if not _INTEGER.fullmatch(value):
            raise ValueError(f"“{value}” is not an integer")
        number = int(value)
        if number < low or (high is not None and number > high):
            raise ValueError(f"{number} is out of range")
        return number

    limits = {"format": format or None, "minimum": low, "maximum": high, "default": default}
    given = {name: limit for name, limit in limits.items() if limit is not None}
    allowed = Text("an integer from {}", low)
    if high:
        allowed = Text("an integer from {} to {}", low, high)
    return Parameter(
        name, description, example, {"type": "integer", **given}, parse, default, allowed
    )


def choice(
    name: str,
    description: str,
    *,
    options: Sequence[Option],
    example: Option,
    fold: Callable[[str], str],
) -> Parameter[Option]:
    """Return one of several options, by default the first.

    `fold` converts a value to the letter case of the options.
    """
    by_word = {str(option): option for option in options}
    words = list(by_word)

    def parse(value: str) -> Option:
        if fold(value) not in by_word:
            raise ValueError(f"“{value}” is not supported")
        return by_word[fold(value)]

    schema = {"type": "string", "enum": words, "default": options[0]}
    allowed = Text("one of {}", words)
    if len(words) == 2:
        allowed = Text("{} or {}", *words)
    return Parameter(name, description, example, schema, parse, options[0], allowed)


@dataclass(frozen=True)
class SiteParameter(Generic[Value]):
    """A query parameter that depends on the countries and languages of the site.

    `make` returns the parameter of a site, or None if the site ignores it.
    """

    name: str
    make: Callable[[Locales], Parameter[Value] | None]

    def read(self) -> Value | None:
        """Read the value from the current request; raises InvalidArgument."""
        snapshot = site_snapshot()
        locales = snapshot.locales if snapshot else NO_COUNTRIES
        return self.value_of(argument(self.name), locales)

    def value_of(self, value: str | None, locales: Locales) -> Value | None:
        """Return what a value of a query means to a site; raises InvalidArgument."""
        parameter = _made(self, locales)
        return parameter.value_of(value) if parameter else None


AnyParameter = Parameter[Any] | SiteParameter[Any]
NO_COUNTRIES = Locales()


def of_site(parameter: AnyParameter, locales: Locales) -> Parameter[Any] | None:
    """Return a parameter as a site has it; None if the site ignores it."""
    return _made(parameter, locales) if isinstance(parameter, SiteParameter) else parameter


@lru_cache(maxsize=32)
def _made(parameter: SiteParameter[Value], locales: Locales) -> Parameter[Value] | None:
    return parameter.make(locales)


def _country(locales: Locales) -> Parameter[Country] | None:
    if locales.other.country is None:
        return None
    return choice(
        "country",
        "Country code of the reader; its slug and any letter case are accepted too.",
        options=locales.countries,
        example=locales.other.country,
        fold=str.upper,
    )


def _lang(locales: Locales) -> Parameter[Language] | None:
    if len(locales.languages) == 1:
        return None
    return choice(
        "lang",
        "Language of the reader, in any letter case.",
        options=locales.languages,
        example=locales.default.language,
        fold=str.lower,
    )


COUNTRY = SiteParameter("country", _country)
LANG = SiteParameter("lang", _lang)
LOCALE = (COUNTRY, LANG)
"""The parameters that `view` reads."""

CATEGORY = text(
    "category",
    "Slug or id of a category; an unknown one returns an empty list.",
    example="news",
)
SEARCH = text(
    "search",
    "Words that must all occur in the title or excerpt; spelling variants, inflections and "
    "parts of words match too. Best match first.",
    example="opening hours",
    longest=LONGEST_SEARCH,
)
SITE_SEARCH = text(
    "q",
    "A question or words. Any word may match; pages with all of them come first.",
    example="how can I reach you",
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


def site_snapshot() -> Snapshot | None:
    """Return the content of the site; None as long as none is loaded."""
    return edition().snapshot if services().content_store.loaded else None


def view(by_country: bool = True, by_language: bool = True) -> ContentView:
    """Return the current edition for the locale of the current request."""
    country = COUNTRY.read() if by_country else None
    language = LANG.read() if by_language else None
    default = edition().snapshot.locales.default
    return view_of(Locale(country or default.country, language or default.language))


def view_of(locale: Locale) -> ContentView:
    """Return the current edition for a locale at the current time."""
    now, public_url = services().clock(), services().settings.public_url
    return ContentView(edition().snapshot, locale, now, public_url, services().is_static)


def default_view() -> ContentView:
    """Return the current edition for the main country and language, also if it is disabled."""
    return view_of(edition().snapshot.locales.default)


def main_view() -> ContentView:
    """Return the current edition for the main country and language that are open."""
    return view_of(edition().snapshot.default_locale)
