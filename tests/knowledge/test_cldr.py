"""What CLDR knows of the six countries, against the figures the project was given."""

from __future__ import annotations

import pytest

from knowledge import cldr
from knowledge.locale import Country, Language


@pytest.mark.parametrize(
    ("country", "currency", "digits", "arabic"),
    [
        (Country.AE, "AED", 2, "الإمارات العربية المتحدة"),
        (Country.SA, "SAR", 2, "المملكة العربية السعودية"),
        (Country.QA, "QAR", 2, "قطر"),
        (Country.OM, "OMR", 3, "عُمان"),
        (Country.KW, "KWD", 3, "الكويت"),
        (Country.BH, "BHD", 3, "البحرين"),
    ],
)
def test_names_and_currencies(country: Country, currency: str, digits: int, arabic: str) -> None:
    """Currency, its decimals, and the Arabic name."""
    assert cldr.currency(country) == currency
    assert cldr.currency_digits(currency) == digits
    assert cldr.country_name(country, Language.AR) == arabic
    assert cldr.country_name(country, Language.EN).isascii()
