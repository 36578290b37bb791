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
        ("Bahrein VAT", "BH"),
        ("prices of Quatar", "QA"),
        ("Katar", "QA"),
        ("Saudia", "SA"),
        ("saudi arabi", "SA"),
        ("an office in kuwayt", "KW"),
        ("kuwiat", "KW"),
        ("Kwait", "KW"),
        ("Barhain", "BH"),
        ("Emiratis, Emarat", "AE"),
        ("VAT in the Kingdom", "SA"),
        ("the Kingdom of Saudi Arabia", "SA"),
        ("the Kingdom of Bahrain", "BH"),
        ("K.S.A.", "SA"),
        ("U.A.E.", "AE"),
        ("the Sultanate's VAT", "OM"),
        ("Sultanate of Oman", "OM"),
        ("ضريبة المملكة", "SA"),
        ("داخل المملكة", "SA"),
        ("للمملكة", "SA"),
        ("مملكة البحرين", "BH"),
        ("مكتب السلطنة", "OM"),
        ("+965", "KW"),
        ("call +965 5001 2345", "KW"),
        ("00971501234567", "AE"),
        ("رقم يبدأ بـ ‎+٩٦٨", "OM"),
        ("office in Nizwa", "OM"),
        ("Sohar or Salalah", "OM"),
        ("فرع نزوى", "OM"),
        ("Al Khobar", "SA"),
        ("Khobar", "SA"),
        ("Mecca hours", "SA"),
        ("makkah", "SA"),
        ("مكة المكرمة", "SA"),
        ("Lusail", "QA"),
        ("بالشارقة", "AE"),
        ("Salmiya, Q8", "KW"),
        ("so3odia", "SA"),
    ],
)
def test_a_country_is_named(text: str, code: str) -> None:
    """By a name, a demonym, a currency or a city."""
    assert GULF.named_in(text) == (code,)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "How much is Starter?",
        "100 dinars",
        "كم ريال",
        "are all of them in stock, and can I try",
        "an Arab accountant",
        "نادي رياضي",
        "رياض الأطفال",
        "price in Germany",
        "doh",
        "Panama",
        "an Audi, a solar sultan",
        "المملكة المتحدة",
        "the United Kingdom of Britain",
        "the Kingdom of Morocco",
        "+1 (555) 0100, +44 20 7946",
        "5+965",
        "صور العين",
    ],
)
def test_no_country_is_named(text: str) -> None:
    """Then nothing is assumed."""
    assert GULF.named_in(text) == ()


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Kuwait or Oman?", ("KW", "OM")),
        ("Oman, then Kuwait", ("OM", "KW")),
        ("قطر والسعودية", ("QA", "SA")),
        ("Nizwa and Khobar", ("OM", "SA")),
        ("the Kingdom and the Sultanate", ("SA", "OM")),
        ("the price in SAR for Quatar", ("QA", "SA")),
        ("+965 and +968", ("KW", "OM")),
    ],
)
def test_several_countries_are_named(text: str, codes: tuple[str, ...]) -> None:
    """In the order of the text; those of currencies come last."""
    assert GULF.named_in(text) == codes
    assert GULF.meant_by(text) is None


def test_a_city_and_its_country_are_one_country() -> None:
    """They do not contradict each other."""
    assert GULF.named_in("Riyadh, Saudi Arabia") == ("SA",)


def test_a_currency_of_several_countries_names_none() -> None:
    """As the euro."""
    euro = NamedCountries({Country("DE"): (), Country("FR"): ()})
    assert euro.meant_by("10 EUR, ten euros") is None
    assert euro.named_in("a French shop in France") == ("FR",)
