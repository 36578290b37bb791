"""Countries, languages, and the locale that pairs them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Self


class Country(StrEnum):
    """The six Gulf countries served, by ISO 3166 code."""

    AE = "AE"
    SA = "SA"
    QA = "QA"
    OM = "OM"
    KW = "KW"
    BH = "BH"

    @property
    def slug(self) -> str:
        """Return the lower-case code, used in paths and file names.

        >>> Country.SA.slug
        'sa'
        """
        return self.value.lower()

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Return the country of a code or slug in any case, else None.

        >>> Country.parse("Sa"), Country.parse("FR")
        (<Country.SA: 'SA'>, None)
        """
        code = text.upper()
        return cls(code) if code in cls.__members__ else None


class Language(StrEnum):
    """The two languages served, by BCP 47 tag."""

    EN = "en"
    AR = "ar"

    @property
    def other(self) -> Language:
        """Return the other language, used as the fallback."""
        return Language.AR if self is Language.EN else Language.EN

    @property
    def direction(self) -> str:
        """Return the text direction, `ltr` or `rtl`."""
        return "rtl" if self is Language.AR else "ltr"

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Return the language of a tag in any case, ignoring the region, else None.

        >>> Language.parse("AR"), Language.parse("en-US"), Language.parse("fr")
        (<Language.AR: 'ar'>, <Language.EN: 'en'>, None)
        """
        primary = text.replace("_", "-").partition("-")[0].upper()
        return cls[primary] if primary in cls.__members__ else None


@dataclass(frozen=True)
class Locale:
    """A country and a language."""

    country: Country
    language: Language

    @property
    def tag(self) -> str:
        """Return the BCP 47 tag, as used by hreflang.

        >>> Locale(Country.SA, Language.AR).tag
        'ar-SA'
        """
        return f"{self.language}-{self.country}"

    @cached_property
    def path(self) -> str:
        """The root path of the locale's pages.

        >>> Locale(Country.SA, Language.AR).path
        '/sa/ar'
        """
        return f"/{self.country.value.lower()}/{self.language}"


DEFAULT_LOCALE = Locale(Country.AE, Language.EN)


@lru_cache(maxsize=1)
def all_locales() -> tuple[Locale, ...]:
    """Return all locales, countries in the order of the API contract, English before Arabic."""
    return tuple(Locale(country, language) for country in Country for language in Language)


def localized_text(text: Mapping[str, str] | None, language: Language) -> str:
    """Return a text in the reader's language, else in the other one, else `""`.

    >>> localized_text({"en": "Shop"}, Language.AR)
    'Shop'
    """
    return (text or {}).get(language) or (text or {}).get(language.other, "")
