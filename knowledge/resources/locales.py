"""Locale hints: the client's likely country, and the redirect of the site root."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum

from knowledge.addresses.addresses import Address, variants
from knowledge.locales.locale import Country, Language, Locale
from knowledge.resources.base import CountryCode, CountrySlug, Resource
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import country_settings


class HintSource(StrEnum):
    """The source of a country hint."""

    HEADER = "header"
    FALLBACK = "fallback"


class LocaleHint(Resource):
    """The client's likely country; the service stores nothing about the client."""

    country_code: CountryCode
    """The likely country of the client."""
    source: HintSource
    """What the hint is based on."""


class LocaleRouting(Resource):
    """The redirect target of the site root for this client; `redirect` is a site path or null."""

    redirect: str | None
    """Site path to which the root leads, or null if it stays."""
    country: CountrySlug
    """Slug of the client's country."""
    lang: Language
    """Language of the client."""


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

    The root leads to the country of a hint, and to the client's language if that is not the
    language of the main locale. A site without countries leads to a language in any case.
    """
    languages = tuple(languages)
    reader, main = reader_locale(snapshot, hinted, languages), snapshot.default_locale
    country = reader.country
    prefers_other = preferred_language(snapshot, languages) not in (None, main.language)
    redirect = reader.path if country is hinted or prefers_other else None
    return LocaleRouting(
        redirect=redirect, country=country.slug if country else None, lang=reader.language
    )


def suggested_locale(
    snapshot: Snapshot,
    page: tuple[Locale, Address],
    now: datetime,
    hinted: Country | None,
    languages: Iterable[str],
) -> Locale | None:
    """Return the locale in which a reader of a page had rather read it, None if in this one.

    The reader's country and language are known as far as `hinted` and `languages` tell them. The
    page is published there, if not with both then with one of them.
    """
    shown, address = page
    country = hinted if hinted in snapshot.open.countries else shown.country
    language = preferred_language(snapshot, languages) or shown.language
    wanted = Locale(country, language)
    if wanted == shown:
        return None
    published = variants(snapshot, address, now).locales
    nearest = (wanted, wanted.in_language(shown.language), shown.in_language(language))
    return next((each for each in nearest if each in published and each != shown), None)


def reader_locale(snapshot: Snapshot, hinted: Country | None, languages: Iterable[str]) -> Locale:
    """Return the locale of a reader whose path names none; the root decides it in the same way."""
    is_hinted = hinted is not None and hinted in snapshot.open.countries
    country = hinted if is_hinted else snapshot.default_locale.country
    language = preferred_language(snapshot, languages)
    default = country_settings(snapshot, country).default_lang or snapshot.locales.languages[0]
    return Locale(country, language or default)


def preferred_language(snapshot: Snapshot, tags: Iterable[str]) -> Language | None:
    """Return the first of the client's languages that the site has, or None."""
    parsed = (Language.parse(tag) for tag in tags)
    return next((each for each in parsed if each in snapshot.locales.languages), None)
