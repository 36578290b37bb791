"""The countries and locales of the sample content, which most tests use.

The files of the countries have a text in each language, so that the site has both.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from contract.visitor import write_tree

from knowledge.documents.content_path import Places
from knowledge.fields.settings_fields import CountryFields
from knowledge.locales.locale import Country, Locale, Locales

COUNTRIES = tuple(map(Country, ("AE", "SA", "QA", "OM", "KW", "BH")))
SLUGS = [country.slug for country in COUNTRIES]
CURRENCIES = ("AED", "SAR", "QAR", "OMR", "KWD", "BHD")
LOCALES = Locales(COUNTRIES)
DEFAULT_LOCALE = LOCALES.default
COUNTRY_FILES: Mapping[str, str] = {
    f"countries/{country.slug}.md": f"---\nsortOrder: {number}\ntitle: {{en: x, ar: س}}\n---\n"
    for number, country in enumerate(COUNTRIES, start=10)
}


def all_locales() -> tuple[Locale, ...]:
    """Return all locales, countries in the order of the sample, English before Arabic."""
    return LOCALES.all


def places(cities: Mapping[str, Country] | None = None) -> Places:
    """Return the countries, and cities by slug."""
    return Places(dict.fromkeys(COUNTRIES, CountryFields()), cities or {})


def write_site(folder: Path, files: Mapping[str, str | bytes], countries: bool = True) -> Path:
    """Write files below a folder, and those of the countries of the sample that are missing."""
    missing = {path: text for path, text in COUNTRY_FILES.items() if not (folder / path).exists()}
    return write_tree(folder, {**missing, **files} if countries else files)
