"""Locale helpers: where a reader seems to be, and where the site root would lead."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated

from knowledge.locale import DEFAULT_LOCALE, Country, Language, Locale
from knowledge.resources.base import Resource, enum_schema
from knowledge.resources.countries import country_settings
from knowledge.snapshot import Snapshot


class HintSource(StrEnum):
    """Where a country hint comes from."""

    HEADER = "header"
    FALLBACK = "fallback"


class LocaleHint(Resource):
    """The country a reader seems to be in; nothing of the reader is kept."""

    country_code: Country
    source: HintSource


class LocaleRouting(Resource):
    """Where the site root leads this reader; `redirect` is a site path or null."""

    redirect: str | None
    country: Annotated[str, enum_schema(country.slug for country in Country)]
    lang: Language


def locale_hint(hinted: Country | None) -> LocaleHint:
    """The hinted country, or the default one."""
    if hinted is None:
        return LocaleHint(country_code=DEFAULT_LOCALE.country, source=HintSource.FALLBACK)
    return LocaleHint(country_code=hinted, source=HintSource.HEADER)


def locale_routing(
    snapshot: Snapshot, hinted: Country | None, languages: Iterable[str]
) -> LocaleRouting:
    """The redirect decision; `languages` are the reader's tags, most wanted first."""
    country = hinted if hinted in snapshot.open_countries else None
    lang = _language(snapshot, country or DEFAULT_LOCALE.country, languages)
    redirect = Locale(country, lang).path if country else None
    return LocaleRouting(
        redirect=redirect, country=(country or DEFAULT_LOCALE.country).slug, lang=lang
    )


def _language(snapshot: Snapshot, country: Country, tags: Iterable[str]) -> Language:
    """The first language served among the reader's, else the country's own default."""
    served = (Language.parse(tag) for tag in tags)
    found = next((language for language in served if language), None)
    default: Language = country_settings(snapshot, country).get("default_lang", Language.EN)
    return found or default
