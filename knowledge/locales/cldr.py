"""Names, currencies, time zones and formats from CLDR, and the tags of other languages.

The language of a text that states none is found from its script, where that is no guess: a text in
Latin letters counts as one in the language of the site.
"""

import re
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from unicodedata import name
from zoneinfo import ZoneInfo

import babel
from babel.core import get_global
from babel.localedata import exists
from babel.numbers import get_territory_currencies
from babel.units import format_unit

from knowledge.locales.locale import Country, Language, OtherLanguage

_WINTER, _SUMMER = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 7, 1, tzinfo=UTC)


@cache
def formats(country: Country | None, language: Language) -> babel.Locale:
    """Return how dates and numbers are written; for a pair without data, as in most countries.

    >>> str(formats(Country("EG"), Language.AR)), str(formats(Country("EG"), Language.EN))
    ('ar_EG', 'en_001')
    """
    own = f"{language}_{country}"
    return babel.Locale.parse(own if exists(own) else f"{language}_001")


@cache
def time_zone(country: Country | None) -> tzinfo:
    """Return a country's time zone, of several the time that most of them share.

    >>> time_zone(Country("EG")), time_zone(None)
    (zoneinfo.ZoneInfo(key='Africa/Cairo'), datetime.timezone.utc)
    """
    zones = get_global("zone_territories").items()
    own = [ZoneInfo(zone) for zone, territory in sorted(zones) if territory == country]
    if not own:
        return UTC
    ((common, _),) = Counter(map(_offsets, own)).most_common(1)
    return next(zone for zone in own if _offsets(zone) == common)


def _offsets(zone: ZoneInfo) -> tuple[timedelta | None, timedelta | None]:
    """Return the UTC offsets in winter and in summer."""
    return _WINTER.astimezone(zone).utcoffset(), _SUMMER.astimezone(zone).utcoffset()


@cache
def first_weekday(country: Country | None) -> int:
    """Return the number of the day with which weeks begin in a country, 0 for Monday.

    >>> first_weekday(Country("SA")), first_weekday(Country("OM")), first_weekday(None)
    (6, 5, 0)
    """
    try:
        return int(babel.Locale.parse(f"und_{country or '001'}").first_week_day)
    except babel.UnknownLocaleError:  # of two territories CLDR knows no language
        return 0


@cache
def country_name(country: Country, language: Language) -> str:
    """Return a country's name in a language.

    >>> country_name(Country("BH"), Language.AR)
    'البحرين'
    """
    return str(babel.Locale(language.value).territories[country])


def country_named(name: str) -> str | None:
    """Return the code of a country by its name in English or Arabic, None for another word.

    >>> country_named("Oman"), country_named("عُمان"), country_named("Narnia")
    ('OM', 'OM', None)
    """
    named = (
        code
        for language in Language
        for code, title in babel.Locale(language.value).territories.items()
        if title.casefold() == name.strip().casefold() and len(code) == len("OM")
    )
    return next(named, None)


def country_code(alias: str) -> str | None:
    """Return the ISO 3166 code for which another one stands, such as that of three letters.

    >>> country_code("SAU"), country_code("UK"), country_code("SA")
    ('SA', 'GB', None)
    """
    codes = get_global("territory_aliases").get(alias, ())
    return codes[0] if len(codes) == 1 else None


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

    >>> currency(Country("OM"))
    'OMR'
    """
    return str(get_territory_currencies(country)[0])


def is_currency(code: str) -> bool:
    """Return whether a text is the ISO 4217 code of a currency.

    >>> is_currency("SAR"), is_currency("XYZ")
    (True, False)
    """
    return code in get_global("all_currencies")


@cache
def currency_name(code: str, language: Language) -> str:
    """Return a currency's name in a language.

    >>> currency_name("SAR", Language.EN)
    'Saudi Riyal'
    """
    return str(babel.Locale(language.value).currencies[code])


_ISO_DIGITS: Mapping[str, int] = {
    **dict.fromkeys(("BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF"), 0),
    **dict.fromkeys(("UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF"), 0),
    **dict.fromkeys(("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"), 3),
    **dict.fromkeys(("CLF", "UYW"), 4),  # units of account
}
"""The currencies of ISO 4217 that have not two decimals. CLDR has those that people write."""


def currency_digits(code: str) -> int:
    """Return the number of decimals of a currency by ISO 4217, in which invoices are made out.

    >>> currency_digits("KWD"), currency_digits("SAR"), currency_digits("IQD")
    (3, 2, 3)
    """
    return _ISO_DIGITS.get(code, 2)


def file_size(size: int, language: Language) -> str:
    """Format a number of bytes, at least one kilobyte.

    >>> file_size(123_456, Language.EN), file_size(2_500_000, Language.AR)
    ('123 kB', '2.5 م.ب')
    """
    unit, divisor = ("megabyte", 1_000_000) if size >= 1_000_000 else ("kilobyte", 1_000)
    number = max(1, round(size / divisor, 1 if 1_000_000 <= size < 10_000_000 else None))
    return format_unit(
        number, f"digital-{unit}", "short", locale=formats(None, language), numbering_system="latn"
    )


def amount_text(amount: Decimal, code: str) -> str:
    """Format an amount with the decimals of its currency, rounded half up.

    >>> amount_text(Decimal("72.5"), "OMR")
    '72.500'
    """
    return str(amount.quantize(Decimal(1).scaleb(-currency_digits(code)), ROUND_HALF_UP))


_LAST_LATIN_MARK = "\u036f"
_BY_SCRIPT: Mapping[str, str] = {
    "ARMENIAN": "hy",
    "BENGALI": "und-Beng",
    "CJK": "zh",
    "CYRILLIC": "und-Cyrl",
    "DEVANAGARI": "und-Deva",
    "ETHIOPIC": "und-Ethi",
    "GEORGIAN": "ka",
    "GREEK": "el",
    "HANGUL": "ko",
    "HEBREW": "he",
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "KHMER": "km",
    "LAO": "lo",
    "TAMIL": "ta",
    "TELUGU": "te",
    "THAI": "th",
}
"""The tag of a script by the first word of its letters' Unicode names; of a language if one alone
is written in it."""


_ARABIC_MARKS = frozenset("ةىأإآيكؤئ")
"""Letters that Arabic has often, and that other languages in its script have rarely or not."""

_BY_LETTERS: Mapping[str, frozenset[str]] = {
    "ur": frozenset("ٹڈڑںےھ"),
    "ckb": frozenset("ڕڵێۆە"),
    "ps": frozenset("ټډړږښڼېۍ"),
    "ug": frozenset("ۇۈۋېڭ"),
    "fa": frozenset("پچژگکی"),
}
"""The letters of a language that Arabic does not have; Persian shares its letters with others."""

_SHARE_OF_LETTERS = 0.02
_ARTICLES = re.compile(r"\b[وبكف]?ال\w")


def language_of_script(text: str) -> OtherLanguage | None:
    """Return the language of a text that is mostly in another script than Latin, or None.

    Of the languages in Arabic script, those with letters of their own are told from Arabic.

    >>> [language_of_script(text) for text in ("Проба!", "こんにちは 世界", "Épreuve")]
    ['und-Cyrl', 'ja', None]
    >>> [language_of_script(text) for text in ("چگونه شروع کنیم", "یہ کیسے ہے", "كيف نبدأ")]
    ['fa', 'ur', None]
    """
    if text.isascii():
        return None
    letters = list(filter(str.isalpha, text))
    arabic = [each for each in letters if "\u0600" <= each <= "\u06ff"]
    if 2 * len(arabic) > len(letters):
        return _in_arabic_script(Counter(arabic), len(_ARTICLES.findall(text)))
    others = [
        each for each in letters if each > _LAST_LATIN_MARK and not "\u0600" <= each <= "\u06ff"
    ]
    if 2 * len(others) <= len(letters):
        return None
    scripts = Counter(map(script, others))
    if scripts["HIRAGANA"] + scripts["KATAKANA"]:
        del scripts["CJK"]  # Japanese has both
    tag = _BY_SCRIPT.get(scripts.most_common(1)[0][0])
    return OtherLanguage(tag) if tag else None


def script(letter: str) -> str:
    """Return the script of a letter, as the names of Unicode begin, which never change.

    >>> script("a"), script("ا"), script("а")
    ('LATIN', 'ARABIC', 'CYRILLIC')
    """
    return name(letter, "").partition(" ")[0].partition("-")[0]


def _in_arabic_script(letters: Counter[str], articles: int) -> OtherLanguage | None:
    """Return the language of a text in Arabic script, None if that is Arabic.

    A few foreign letters are in Arabic texts too: in names, or from a foreign keyboard.
    """
    own = {
        tag: sum(letters[letter] for letter in alphabet) for tag, alphabet in _BY_LETTERS.items()
    }
    total = letters.total()
    arabic = articles + sum(letters[mark] for mark in _ARABIC_MARKS)
    if sum(own.values()) <= max(_SHARE_OF_LETTERS * total, arabic):
        return None
    special = {tag: count for tag, count in own.items() if tag != "fa"}
    tag = max(special, key=lambda name: special[name])
    return OtherLanguage(tag if special[tag] > _SHARE_OF_LETTERS * total else "fa")
