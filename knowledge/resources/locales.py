"""Locale hints: the client's likely country, and the redirect of the site root."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from knowledge.locale import Country, Language, Locale
from knowledge.resources.base import CountryCode, CountrySlug, Resource
from knowledge.resources.countries import country_settings
from knowledge.snapshot import Snapshot


class HintSource(StrEnum):
    """The source of a country hint."""

    HEADER = "header"
    FALLBACK = "fallback"


class LocaleHint(Resource):
    """The client's likely country; the service stores nothing about the client."""

    country_code: CountryCode
    source: HintSource


class LocaleRouting(Resource):
    """The redirect target of the site root for this client; `redirect` is a site path or null."""

    redirect: str | None
    country: CountrySlug
    lang: Language


def locale_hint(snapshot: Snapshot, hinted: Country | None) -> LocaleHint:
    """Return the hinted country if the site has it, or the default country."""
    if hinted is None or hinted not in snapshot.countries:
        default = snapshot.locales.default.country
        return LocaleHint(country_code=default, source=HintSource.FALLBACK)
    return LocaleHint(country_code=hinted, source=HintSource.HEADER)


def locale_routing(
    snapshot: Snapshot, hinted: Country | None, languages: Iterable[str]
) -> LocaleRouting:
    """Decide where to redirect; `languages` are the client's language tags, preferred first.

    A site without countries leads to the client's language.
    """
    reader = reader_locale(snapshot, hinted, languages)
    country = reader.country
    redirect = reader.path if country is hinted else None
    return LocaleRouting(
        redirect=redirect, country=country.slug if country else None, lang=reader.language
    )


def reader_locale(snapshot: Snapshot, hinted: Country | None, languages: Iterable[str]) -> Locale:
    """Return the locale of a reader whose path names none; the root decides it in the same way."""
    is_hinted = hinted is not None and hinted in snapshot.open.countries
    country = hinted if is_hinted else snapshot.locales.default.country
    return Locale(country, _language(snapshot, country, languages))


def _language(snapshot: Snapshot, country: Country | None, tags: Iterable[str]) -> Language:
    """Return the first supported language of the client, else the country's default."""
    parsed = (Language.parse(tag) for tag in tags)
    own = snapshot.locales.languages
    supported = next((language for language in parsed if language in own), None)
    return supported or country_settings(snapshot, country).default_lang or own[0]
