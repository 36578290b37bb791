"""Query parameters: text from a URL becomes a value, or an error that names the parameter."""

from __future__ import annotations

import re

from quart import request

from app.services import services
from knowledge.errors import InvalidArgument
from knowledge.locale import DEFAULT_LOCALE, Country, Language, Locale
from knowledge.view import View

_INTEGER = re.compile(r"[+-]?\d{1,18}", re.ASCII)


def text(name: str) -> str | None:
    """A query value; an empty one is an absent one."""
    return request.args.get(name) or None


def integer(name: str, default: int, low: int, high: int | None = None) -> int:
    """A whole number within bounds; raises InvalidArgument."""
    written = text(name)
    if written is None:
        return default
    allowed = f"an integer from {low}" + (f" to {high}" if high else "")
    if not _INTEGER.fullmatch(written):
        raise InvalidArgument(name, f"“{written}” is no integer", allowed)
    number = int(written)
    if number < low or (high is not None and number > high):
        raise InvalidArgument(name, f"{number} is out of range", allowed)
    return number


def country() -> Country:
    """`country` as code or slug in any case, default AE; raises InvalidArgument."""
    written = text("country")
    found = Country.parse(written) if written else DEFAULT_LOCALE.country
    if found is None:
        raise InvalidArgument(
            "country", f"“{written}” is not served", "one of " + ", ".join(Country)
        )
    return found


def language() -> Language:
    """`lang` in any case, default en; raises InvalidArgument."""
    written = text("lang")
    found = _LANGUAGES.get(written.lower()) if written else DEFAULT_LOCALE.language
    if found is None:
        raise InvalidArgument("lang", f"“{written}” is not served", "en or ar")
    return found


_LANGUAGES = {str(each): each for each in Language}


def view(by_country: bool = True, by_language: bool = True) -> View:
    """The current edition as the reader of this request has it."""
    locale = Locale(
        country() if by_country else DEFAULT_LOCALE.country,
        language() if by_language else DEFAULT_LOCALE.language,
    )
    at = services()
    return View(at.editions.current.snapshot, locale, at.clock(), at.settings.public_url)
