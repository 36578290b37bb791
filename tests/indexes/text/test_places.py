"""Countries that texts name, in both languages."""

from __future__ import annotations

import pytest

from indexes.text.places import NamedCountries
from knowledge.locales.locale import Country

CITIES = {
    "AE": ("Dubai", "دبي", "Abu Dhabi", "أبوظبي"),
    "SA": ("Riyadh", "الرياض", "Jeddah", "جدة"),
    "QA": ("Doha", "الدوحة"),
    "OM": ("Muscat", "مسقط"),
    "KW": ("Kuwait City", "مدينة الكويت"),
    "BH": ("Manama", "المنامة"),
}
GULF = NamedCountries({Country(code): names for code, names in CITIES.items()})


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("How much is Starter per month in Kuwait?", "KW"),
        ("KUWAIT'S VAT", "KW"),
        ("prices for Kuwaitis", "KW"),
        ("Growth plan, Saudi Arabia", "SA"),
        ("is it allowed in KSA", "SA"),
        ("a Saudi company", "SA"),
        ("price in SAR", "SA"),
        ("how much in Emirati dirhams", "AE"),
        ("the UAE office", "AE"),
        ("United Arab Emirates", "AE"),
        ("10 dirhams", "AE"),
        ("Where do you keep data of Omani customers?", "OM"),
        ("phone in Muscat", "OM"),
        ("opening hours of Riyadh", "SA"),
        ("كم سعر الباقة بالكويت؟", "KW"),
        ("سعر الباقة للشركات القطرية", "QA"),
        ("الضريبة في السعودية", "SA"),
        ("المملكة العربية السعودية", "SA"),
        ("متجر سعودي", "SA"),
        ("في الإمارات", "AE"),
        ("وبالرياض", "SA"),
        ("للرياض", "SA"),
        ("هاتف مكتبكم في مسقط", "OM"),
        ("عُمان", "OM"),
        ("كم درهم", "AE"),
        ("موظفين بحرينيين", "BH"),
    ],
)
def test_a_country_is_named(text: str, code: str) -> None:
    """By a name, a demonym, a currency or a city."""
    assert GULF.named_in(text) == code


@pytest.mark.parametrize(
    "text",
    [
        "",
        "How much is Starter?",
        "Kuwait or Oman?",
        "100 dinars",
        "كم ريال",
        "are all of them in stock, and can I try",
        "an Arab accountant",
        "نادي رياضي",
        "رياض الأطفال",
        "price in Germany",
        "doh",
    ],
)
def test_no_country_or_no_single_one_is_named(text: str) -> None:
    """Then nothing is assumed."""
    assert GULF.named_in(text) is None


def test_a_city_and_its_country_are_one_country() -> None:
    """They do not contradict each other."""
    assert GULF.named_in("Riyadh, Saudi Arabia") == "SA"


def test_a_currency_of_several_countries_names_none() -> None:
    """As the euro."""
    euro = NamedCountries({Country("DE"): (), Country("FR"): ()})
    assert euro.named_in("10 EUR, ten euros") is None
    assert euro.named_in("a French shop in France") == "FR"
