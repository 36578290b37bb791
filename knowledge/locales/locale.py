"""Countries, languages and locales, and the layers to which files of a document apply.

`knowledge.snapshot.layer_resolution` merges layers.

    erp.md · erp.ar.md | erp.sa.md       | erp.sa.ar.md    | erp.sa.riyadh.md · erp.sa.riyadh.ar.md
    global             | country_default | locale_override | city_override
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from functools import cache, cached_property
from typing import Self

import babel
from babel.core import get_global
from babel.numbers import get_territory_currencies
from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema
from pydantic_core.core_schema import no_info_after_validator_function, str_schema


@cache
def country_codes() -> frozenset[str]:
    """Return the ISO 3166 codes of the countries with a time zone and a currency in CLDR."""
    codes = frozenset(get_global("zone_territories").values())
    return frozenset(code for code in codes if len(code) == 2 and get_territory_currencies(code))


class Country(str):
    """A country, by its ISO 3166 code such as `SA`; which ones a site has is its content."""

    __slots__ = ()

    def __new__(cls, code: str) -> Self:
        """Return the country of an upper-case code; raises ValueError if there is none."""
        if code not in country_codes():
            raise ValueError(f"“{code}” is no ISO 3166 code of a country")
        return super().__new__(cls, code)

    @property
    def slug(self) -> str:
        """Return the lower-case code, used in paths and file names.

        >>> Country("SA").slug
        'sa'
        """
        return self.lower()

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Return the country of a code or slug in any case, else None.

        >>> Country.parse("Sa"), Country.parse("XX")
        ('SA', None)
        """
        code = text.upper()
        return cls(code) if code in country_codes() else None

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Validate a code in a model."""
        return no_info_after_validator_function(cls, str_schema())


@cache
def _direction(tag: str) -> str:
    """Return the direction that Babel has for a tag, else for its language, else `ltr`."""
    for each in (tag, tag.partition("-")[0]):  # Babel reads no extensions, as in `ar-u-nu-latn`
        with suppress(ValueError, babel.UnknownLocaleError):
            return babel.Locale.parse(each, sep="-").text_direction
    return "ltr"


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
        return _direction(self)

    @property
    def comma(self) -> str:
        """Return the comma between words, with its space."""
        return "، " if self is Language.AR else ", "

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Return the language of a tag in any case, ignoring the region, else None.

        >>> Language.parse("AR"), Language.parse("en-US"), Language.parse("fr")
        (<Language.AR: 'ar'>, <Language.EN: 'en'>, None)
        """
        primary = text.replace("_", "-").partition("-")[0].upper()
        return cls[primary] if primary in cls.__members__ else None


class OtherLanguage(str):
    """A language of texts that no reader chooses, by its BCP 47 tag, such as `fr`."""

    __slots__ = ()

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Return the language of a tag that is neither English nor Arabic, else None.

        >>> OtherLanguage.parse("fr_CA"), OtherLanguage.parse("en"), OtherLanguage.parse("xx")
        ('fr-CA', None, None)
        """
        primary, *subtags = text.strip().replace("_", "-").split("-")
        is_known = primary.lower() in babel.Locale("en").languages
        if not is_known or Language.parse(primary) or not all(map(str.isalnum, subtags)):
            return None
        return cls("-".join((primary.lower(), *subtags)))

    @property
    def direction(self) -> str:
        """Return the text direction, `ltr` or `rtl`.

        >>> OtherLanguage("fa").direction, OtherLanguage("fr").direction
        ('rtl', 'ltr')
        """
        return _direction(self)


TextLanguage = Language | OtherLanguage
"""The language in which a text is written."""


@dataclass(frozen=True)
class Locale:
    """A country and a language; a site without countries has locales of languages only."""

    country: Country | None
    language: Language

    @property
    def tag(self) -> str:
        """Return the BCP 47 tag, as used by hreflang.

        >>> Locale(Country("SA"), Language.AR).tag, Locale(None, Language.AR).tag
        ('ar-SA', 'ar')
        """
        return f"{self.language}-{self.country}" if self.country else str(self.language)

    @cached_property
    def path(self) -> str:
        """The root path of the locale's pages.

        >>> Locale(Country("SA"), Language.AR).path, Locale(None, Language.AR).path
        ('/sa/ar', '/ar')
        """
        return f"/{self.country.slug}/{self.language}" if self.country else f"/{self.language}"

    @property
    def query(self) -> str:
        """The query parameters by which the API reads in the locale.

        >>> Locale(Country("SA"), Language.AR).query, Locale(None, Language.AR).query
        ('country=sa&lang=ar', 'lang=ar')
        """
        country = f"country={self.country.slug}&" if self.country else ""
        return f"{country}lang={self.language}"

    def in_language(self, language: Language) -> Locale:
        """Return the locale of the same country in a language."""
        return Locale(self.country, language)


ENGLISH = Locale(None, Language.EN)
"""The locale of texts that no site has a locale for, such as errors before content is loaded."""


@dataclass(frozen=True)
class Locales:
    """The locales of a site; the main country and the main language come first.

    `audiences` are its countries, or only None if it tells no countries apart.

    >>> [locale.path for locale in Locales((Country("SA"),)).all], Locales().default.path
    (['/sa/en', '/sa/ar'], '/en')
    """

    audiences: tuple[Country | None, ...] = (None,)
    languages: tuple[Language, ...] = tuple(Language)

    @cached_property
    def _hash(self) -> int:
        return hash((self.audiences, self.languages))

    def __hash__(self) -> int:
        """Return a hash that is computed once, as caches of pages have locales in their keys."""
        return self._hash

    @cached_property
    def countries(self) -> tuple[Country, ...]:
        """The countries, if there are any."""
        return tuple(country for country in self.audiences if country is not None)

    @cached_property
    def all(self) -> tuple[Locale, ...]:
        """All locales, by country, then by language."""
        return tuple(
            Locale(country, language) for country in self.audiences for language in self.languages
        )

    @property
    def default(self) -> Locale:
        """The locale of readers who ask for none."""
        return self.all[0]

    @property
    def other(self) -> Locale:
        """A locale for examples, which differs from the default as far as the site has others."""
        return Locale(self.audiences[:2][-1], self.languages[-1])

    def within(self, audiences: Container[Country | None]) -> Locales:
        """Return the locales of some of the countries."""
        kept = tuple(country for country in self.audiences if country in audiences)
        return self if kept == self.audiences else replace(self, audiences=kept)


def localized_text(text: Mapping[str, str] | None, language: Language) -> str:
    """Return a text in the reader's language, else in the other one, else `""`.

    >>> localized_text({"en": "Shop"}, Language.AR)
    'Shop'
    """
    return (text or {}).get(language) or (text or {}).get(language.other, "")


class Scope(IntEnum):
    """The four scopes from general to specific; a higher one overrides a lower one."""

    GLOBAL = 0
    COUNTRY_DEFAULT = 1
    LOCALE_OVERRIDE = 2
    CITY_OVERRIDE = 3

    @property
    def label(self) -> str:
        """Return the name in the API, as in `resolvedFrom`.

        >>> Scope.CITY_OVERRIDE.label
        'city_override'
        """
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Layer:
    """The suffixes of a file name: country, city of that country, language."""

    country: Country | None = None
    city: str | None = None
    language: Language | None = None

    @property
    def scope(self) -> Scope:
        """Return the scope of the layer, see the table above.

        >>> Layer(Country("SA"), None, Language.AR).scope.label
        'locale_override'
        """
        if self.city:
            return Scope.CITY_OVERRIDE
        if self.country:
            return Scope.LOCALE_OVERRIDE if self.language else Scope.COUNTRY_DEFAULT
        return Scope.GLOBAL

    @property
    def order(self) -> tuple[bool, bool, bool, str]:
        """Return the sort key: from general to specific, then by language."""
        return bool(self.city), bool(self.country), bool(self.language), self.language or ""

    def covers(self, country: Country | None, city: str | None) -> bool:
        """Return whether the layer applies to that country and city, in any language."""
        return self.country in (None, country) and self.city in (None, city)

    def matches_language(self, language: Language) -> bool:
        """Return whether the layer applies to readers of that language."""
        return self.language in (None, language)

    def __str__(self) -> str:
        parts = (self.country and self.country.slug, self.city, self.language)
        return ".".join(part for part in parts if part) or "global"


@cache
def shared_layer(country: Country | None, city: str | None, language: Language | None) -> Layer:
    """Return one object for equal layers, as many documents have the same."""
    return Layer(country, city, language)
