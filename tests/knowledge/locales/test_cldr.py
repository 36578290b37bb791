"""CLDR data of the six countries, compared with the values of the API contract."""

from __future__ import annotations

from decimal import Decimal

import pytest
from cases import cases

from knowledge.locales import cldr
from knowledge.locales.locale import Country, Language


@cases(
    ("country", "currency", "digits", "arabic"),
    [
        (Country("AE"), "AED", 2, "الإمارات العربية المتحدة"),
        (Country("SA"), "SAR", 2, "المملكة العربية السعودية"),
        (Country("QA"), "QAR", 2, "قطر"),
        (Country("OM"), "OMR", 3, "عُمان"),
        (Country("KW"), "KWD", 3, "الكويت"),
        (Country("BH"), "BHD", 3, "البحرين"),
    ],
)
def test_names_and_currencies(country: Country, currency: str, digits: int, arabic: str) -> None:
    """The currency, its decimals, and the country's names."""
    assert cldr.currency(country) == currency
    assert cldr.currency_digits(currency) == digits
    assert cldr.country_name(country, Language.AR) == arabic
    assert cldr.country_name(country, Language.EN).isascii()


@cases(
    ("amount", "code", "expected"),
    [
        pytest.param("2.345", "SAR", "2.35", id="half up, to an odd digit"),
        pytest.param("2.335", "SAR", "2.34", id="half up, to an even digit"),
        pytest.param("2.3449", "SAR", "2.34", id="below half"),
        pytest.param("0.0125", "KWD", "0.013", id="three decimals"),
        pytest.param("0.005", "AED", "0.01", id="less than the smallest coin"),
        pytest.param("99.995", "QAR", "100.00", id="carried over"),
    ],
)
def test_prices_are_rounded_half_up(amount: str, code: str, expected: str) -> None:
    """To the decimals of the currency; a half also goes up to an odd digit."""
    assert cldr.amount_text(Decimal(amount), code) == expected
