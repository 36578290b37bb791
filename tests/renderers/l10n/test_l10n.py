"""Localized dates and prices in all twelve locales."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from cases import cases
from gulf import all_locales

from knowledge.locales import cldr
from knowledge.locales.locale import Country, Language, Locale
from knowledge.resources.products import Money
from renderers.l10n.formats import long_date, price


@cases("locale", all_locales())
def test_prices_have_latin_digits_and_all_decimals(locale: Locale) -> None:
    """Prices have the decimals of their currency: three in Kuwait, Bahrain and Oman."""
    assert locale.country
    currency = cldr.currency(locale.country)
    digits = cldr.currency_digits(currency)
    shown = price(Money(amount="4250" + "." + "5" * digits, currency=currency), locale)
    assert "4,250." + "5" * digits in shown
    assert not any("\u0660" <= letter <= "\u06f9" for letter in shown)


@cases(
    ("locale", "amount", "expected"),
    [
        pytest.param(
            Locale(Country("AE"), Language.EN), "1234.50", "AED\u00a01,234.50", id="en-AE"
        ),
        pytest.param(
            Locale(Country("SA"), Language.EN), "1234.50", "SAR\u00a01,234.50", id="en-SA"
        ),
        pytest.param(Locale(Country("KW"), Language.EN), "12.750", "KWD\u00a012.750", id="en-KW"),
        pytest.param(Locale(Country("BH"), Language.EN), "0.005", "BHD\u00a00.005", id="en-BH"),
        pytest.param(
            Locale(Country("AE"), Language.AR), "1234.50", "1,234.50\u00a0د.إ.", id="ar-AE"
        ),
        pytest.param(
            Locale(Country("SA"), Language.AR), "1234.50", "1,234.50\u00a0ر.س.", id="ar-SA"
        ),
        pytest.param(
            Locale(Country("QA"), Language.AR), "1234.50", "1,234.50\u00a0ر.ق.", id="ar-QA"
        ),
        pytest.param(Locale(Country("OM"), Language.AR), "12.750", "12.750\u00a0ر.ع.", id="ar-OM"),
        pytest.param(Locale(Country("KW"), Language.AR), "12.750", "12.750\u00a0د.ك.", id="ar-KW"),
        pytest.param(Locale(Country("BH"), Language.AR), "0.005", "0.005\u00a0د.ب.", id="ar-BH"),
    ],
)
def test_prices_are_formatted_by_locale(locale: Locale, amount: str, expected: str) -> None:
    """Prices contain no direction marks, because every page sets its direction."""
    shown = price(Money(amount=amount, currency=cldr.currency(locale.country)), locale)
    assert shown == expected


def test_dates_are_in_the_country_s_time_zone() -> None:
    """At 20:30 UTC it is the next day in Muscat, but not in Riyadh."""
    late = datetime(2026, 5, 12, 20, 30, tzinfo=UTC)
    assert long_date(late, Locale(Country("OM"), Language.EN)) == "13 May 2026"
    assert long_date(late, Locale(Country("SA"), Language.EN)) == "12 May 2026"
    assert long_date(late, Locale(Country("SA"), Language.AR)) == "12 مايو 2026"
