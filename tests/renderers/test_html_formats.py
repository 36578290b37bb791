"""Dates and prices as the readers of all twelve locales write them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from knowledge import cldr
from knowledge.locale import Country, Language, Locale, all_locales
from knowledge.resources.products import Money
from renderers.formats import CLDR_LOCALES, long_date, price


def test_the_table_has_every_locale() -> None:
    """Babel is never asked for one that it may not know."""
    assert set(CLDR_LOCALES) == set(all_locales())


@pytest.mark.parametrize("locale", all_locales(), ids=lambda locale: locale.tag)
def test_digits_are_latin_and_decimals_the_currency_s(locale: Locale) -> None:
    """Three decimals in Kuwait, Bahrain and Oman, and none of them lost."""
    currency = cldr.currency(locale.country)
    digits = cldr.currency_digits(currency)
    shown = price(Money(amount="4250" + "." + "5" * digits, currency=currency), locale)
    assert "4,250." + "5" * digits in shown
    assert not any("\u0660" <= letter <= "\u06f9" for letter in shown)


def test_a_date_is_the_country_s_own_day() -> None:
    """At 21:30 UTC it is tomorrow in Muscat and in Riyadh, at 20:30 only in Muscat."""
    late = datetime(2026, 5, 12, 20, 30, tzinfo=UTC)
    assert long_date(late, Locale(Country.OM, Language.EN)) == "13 May 2026"
    assert long_date(late, Locale(Country.SA, Language.EN)) == "12 May 2026"
    assert long_date(late, Locale(Country.SA, Language.AR)) == "12 مايو 2026"
