"""Locale hints: the client's likely country, and the redirect of the site root."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated

from knowledge.locale import DEFAULT_LOCALE, Country, Language, Locale
from knowledge.resources.base import Resource, enum_schema
from knowledge.resources.countries import country_settings
from knowledge.snapshot import Snapshot


class HintSource(StrEnum):
    """The source of a country hint."""

    HEADER = "header"
    FALLBACK = "fallback"


class LocaleHint(Resource):
    """The client's likely country; the service stores nothing about the client."""

    country_code: Country
    source: HintSource


class LocaleRouting(Resource):
    """The redirect target of the site root for this client; `redirect` is a site path or null."""

    redirect: str | None
    country: Annotated[str, enum_schema(country.slug for country in Country)]
    lang: Language


def locale_hint(hinted: Country | None) -> LocaleHint:
    """Return the hinted country, or the default country."""
    if hinted is None:
        return LocaleHint(country_code=DEFAULT_LOCALE.country, source=HintSource.FALLBACK)
    return LocaleHint(country_code=hinted, source=HintSource.HEADER)


def locale_routing(
    snapshot: Snapshot, hinted: Country | None, languages: Iterable[str]
) -> LocaleRouting:
    """Decide where to redirect; `languages` are the client's language tags, preferred first."""
    reader = reader_locale(snapshot, hinted, languages)
    redirect = reader.path if reader.country is hinted else None
    return LocaleRouting(redirect=redirect, country=reader.country.slug, lang=reader.language)


def reader_locale(snapshot: Snapshot, hinted: Country | None, languages: Iterable[str]) -> Locale:
    """Return the locale of a reader whose path names none; the root decides it in the same way."""
    country = hinted if hinted in snapshot.open_countries and hinted else DEFAULT_LOCALE.country
    return Locale(country, _language(snapshot, country, languages))


def _language(snapshot: Snapshot, country: Country, tags: Iterable[str]) -> Language:
    """Return the first supported language of the client, else the country's default."""
    parsed = (Language.parse(tag) for tag in tags)
    supported = next((language for language in parsed if language), None)
    return supported or country_settings(snapshot, country).default_lang or Language.EN
