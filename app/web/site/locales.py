"""Locales in paths: a country and a language, or on a site without countries a language."""

from __future__ import annotations

from quart import Quart
from werkzeug.routing import BaseConverter

from app.services import edition
from knowledge.addresses.addresses import split_locale
from knowledge.locales.locale import Locale
from knowledge.resources.errors import NotFound


class LocaleConverter(BaseConverter):
    """Matches one or two segments at the beginning of a path."""

    regex = r"[^/]+/[^/]+|[a-z]{2}"
    part_isolating = False

    def to_python(self, value: str) -> Locale | None:
        """Return the locale, or None if no site has it."""
        locale, rest = split_locale(f"/{value}")
        return None if rest else locale


def install(app: Quart) -> None:
    """Let rules have the variable `<locale:…>`."""
    app.url_map.converters["locale"] = LocaleConverter


def open_locale(locale: Locale | None) -> Locale:
    """Return a locale that the site has and that is open; raises NotFound for others."""
    if locale is None or locale not in edition().snapshot.open_locales:
        raise NotFound("There is no such locale.", "See /llms.txt for what there is.")
    return locale
