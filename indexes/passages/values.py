"""Values: the types of values that a passage holds, such as amounts and opening hours.

A type is a row of `_TYPES`: a pattern of the classes of words, each of them a letter. A passage has
a term for each type. Currencies, units and months are those of CLDR.
"""

import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache
from itertools import product
from typing import Literal

import babel
from babel.numbers import get_currency_name, get_currency_symbol
from babel.units import format_unit

from indexes.passages.analysis import AROUND
from indexes.text.words import fold
from knowledge.locales import cldr
from knowledge.locales.locale import Country, Language, country_codes

_MARK = "#"
"""Stands before the name of a type among the terms of a passage; no word begins with it."""
OPENING = f"{_MARK}page"
"""The term of the passage at the top of a page."""

_ENGLISH, _ARABIC = _LANGUAGES = tuple(babel.Locale(language.value) for language in Language)
_MAX_LETTERS = 100
"""What is longer holds no value."""
_COUNTS = (1, 2, 3, 11, 100)
"""Each has another plural in Arabic."""

_LENGTHS: tuple[Literal["long", "short"], ...] = ("long", "short")


def _currencies() -> Iterator[str]:
    """Yield codes, signs and nouns of the currencies that countries have."""
    for code in {cldr.currency(Country(country)) for country in country_codes()}:
        yield code
        yield from (get_currency_symbol(code, language) for language in _LANGUAGES)
        yield from (get_currency_name(code, count, _ENGLISH).split()[-1] for count in (1, 2))
        yield get_currency_name(code, locale=_ARABIC).split()[0]


def _units(*units: str) -> Iterator[str]:
    """Yield the words of units in all numbers; the Arabic dual ends in two ways."""
    for unit, count, length, locale in product(units, _COUNTS, _LENGTHS, _LANGUAGES):
        words = format_unit(count, unit, length, locale=locale).split()
        word = words[words[0] == str(count)]
        if len(word) > 1 and word not in (unit, "in"):  # CLDR lacks it; `3 in Dubai`
            yield from (word, re.sub("ان$", "ين", word))


def _months() -> Iterator[str]:
    for locale in (*_LANGUAGES, babel.Locale("ar", "LB")):
        for width in ("wide", "abbreviated"):
            yield from locale.months["format"][width].values()


_DURATIONS = tuple(
    f"duration-{each}" for each in ("minute", "hour", "day", "week", "month", "year")
)
_SIZES = (
    *(f"length-{each}" for each in ("millimeter", "centimeter", "meter", "inch")),
    *(f"mass-{each}" for each in ("gram", "kilogram")),
    *(f"digital-{each}" for each in ("megabyte", "gigabyte")),
)


_WORDS = {
    "%": "% percent بالمئة بالمائة",
    "h": "am pm a.m p.m صباحا مساء",
    "w": "one two three four five six seven eight nine ten twelve thirty",
    "p": "per a / كل",
    "v": "monthly yearly annually شهريا سنويا",
    "i": "in since عام منذ",
    "o": "office shop suite unit villa flat floor building مكتب محل شقة فيلا طابق مبنى",
    "r": "Road Street Avenue Boulevard Tower",
    "R": "شارع طريق بناية",
    "l": "vat tax trn cr registration licence license ضريبي تجاري تسجيل رخصة",
}
"""The words of further classes: of clocks, small numbers, what is between an amount and its time,
words for both, what is before a year, rooms and roads with a number, roads with a name, and
registrations."""

_TYPES = {
    # `SAR 399`, `$100`, `399 د.إ.`, `5 US dollars`
    "amount": r"c[dyn0]|[dyn0]\.?c",
    # `SAR 399 per month`, `399 د.إ. شهريًا`
    "fee": r"(?:c[dyn0]|[dyn0]c)(?:pu|v)",
    "percentage": r"d%",
    # `+966 11 555 0142`, or a national one: `04 555 0142`
    "telephone": r"\+|0[d0y]{1,3}",
    "mail": r"@",
    # `Office 702`, `المكتب 903`, `King Fahd Road`
    "address": r"[oR][dy]|r",
    # `08:00`, `8 am`
    "hours": r"t|dh",
    # `July 2026`, `18 November`, `2026-11-29`, `in 2012`
    "date": r"m[dy]|[d0]m|D|[iu]y",
    # `5 days`, `two working days`, `سنتان`; but not `399 per month`
    "duration": r"[dw]\.?u|U",
    # `104 mm`, `23.8-inch`
    "size": r"ds",
    # `VAT number: 300455501420003`
    "number": r"l[l.]{0,4}n",
}
_PATTERNS = {name: re.compile(pattern) for name, pattern in _TYPES.items()}

_PARTS = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d]+(?:\.[^\W\d]+)*|[%\u20a0-\u20bf$£¥/]")
"""The numbers, words and signs of what stands between spaces."""
_WHOLE = {
    "+": re.compile(r"\+\d{1,15}"),
    "@": re.compile(r"[^@\s]{1,64}@[\w-]{1,63}\.[\w.]{1,64}"),
    "t": re.compile(r"[012]?\d:[0-5]\d(?:\W[012]?\d:[0-5]\d)?"),
    "D": re.compile(r"\d{4}-\d\d-\d\d|\d{1,2}/\d{1,2}/\d{4}"),
    "n": re.compile(r"[A-Z]{0,3}\d{5,18}(?:-\d)?"),
    "y": re.compile(r"(?:19|20)\d\d"),
    "0": re.compile(r"0\d+"),
}
"""The classes of what stands between spaces, without punctuation."""
_DUAL = re.compile(r"(?:يوم|اسبوع|شهر|ساعت|سنت|عام|دقيقت)(?:ين|ان)")


@cache
def _class_of_words() -> Mapping[str, str]:
    cldr_words = {
        "s": _units(*_SIZES),
        "u": _units(*_DURATIONS),
        "m": _months(),
        "c": _currencies(),
    }
    classes = {_same(word): name for name, words in cldr_words.items() for word in words}
    return classes | {_same(word): name for name, text in _WORDS.items() for word in text.split()}


def _same(word: str) -> str:
    """Return a word as words are compared; codes and names of roads have capitals."""
    return word if word[0].isupper() else fold(word).strip(AROUND)


@lru_cache(65_536)
def _classes(written: str) -> str:
    """Return the classes of what stands between spaces.

    >>> _classes("$100"), _classes("23.8-inch"), _classes("08:00–18:00"), _classes("ready")
    ('cd', 'ds', 't', '.')
    """
    if len(written) > _MAX_LETTERS:
        return "."
    bare = (written if written.isascii() else fold(written)).strip(AROUND)
    for name, pattern in _WHOLE.items():
        if pattern.fullmatch(bare):
            return name
    return "".join(map(_class, _PARTS.findall(bare))) or "."


def _class(part: str) -> str:
    if part[0].isdecimal():
        return "d"
    known, same = _class_of_words(), _same(part)
    if _DUAL.fullmatch(same):
        return "U"
    return known.get(same) or known.get(same.lower()) or known.get(same.removeprefix("ال"), ".")


def values_in(text: str) -> AbstractSet[str]:
    """Return the types of the values that a text holds.

    >>> sorted(values_in("SAR 399 per month; call +966 11 555 0142."))
    ['amount', 'fee', 'telephone']
    >>> sorted(values_in("من 08:00 إلى 18:00، خلال ٣٠ يومًا")), values_in("All 5 plans")
    (['duration', 'hours'], frozenset())
    """
    classes = "".join(map(_classes, text.split()))
    return frozenset(name for name, pattern in _PATTERNS.items() if pattern.search(classes))


def value_terms(text: str) -> Iterator[str]:
    """Yield the terms by which a passage with a text is found for the values that it holds."""
    return map(value_term, sorted(values_in(text)))


def value_term(name: str) -> str:
    """Return the term of a type."""
    return _MARK + name


def is_value(term: str) -> bool:
    """Return whether a term is that of a type."""
    return term.startswith(_MARK)
