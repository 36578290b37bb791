"""Names and currencies of the six countries, from CLDR through Babel."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from functools import cache

import babel
from babel.numbers import get_currency_precision, get_territory_currencies

from knowledge.locale import Country, Language


@cache
def country_name(country: Country, language: Language) -> str:
    """Return a country's name in a language.

    >>> country_name(Country.BH, Language.AR)
    'البحرين'
    """
    return str(babel.Locale(language.value).territories[country.value])


@cache
def language_name(language: Language, display_language: Language) -> str:
    """Return a language's name in `display_language`.

    >>> language_name(Language.AR, Language.AR)
    'العربية'
    """
    return str(babel.Locale(display_language.value).languages[language.value])


@cache
def currency(country: Country) -> str:
    """Return the ISO 4217 code of a country's current currency.

    >>> currency(Country.OM)
    'OMR'
    """
    return str(get_territory_currencies(country.value)[0])


@cache
def currency_name(code: str, language: Language) -> str:
    """Return a currency's name in a language.

    >>> currency_name("SAR", Language.EN)
    'Saudi Riyal'
    """
    return str(babel.Locale(language.value).currencies[code])


@cache
def currency_digits(code: str) -> int:
    """Return the number of decimals of a currency.

    >>> currency_digits("KWD"), currency_digits("SAR")
    (3, 2)
    """
    return get_currency_precision(code)


def amount_text(amount: Decimal, code: str) -> str:
    """Format an amount with the decimals of its currency, rounded half up.

    >>> amount_text(Decimal("72.5"), "OMR")
    '72.500'
    """
    return str(amount.quantize(Decimal(1).scaleb(-currency_digits(code)), ROUND_HALF_UP))
