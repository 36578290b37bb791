"""Texts in a language other than English and Arabic: its tag, found from what a file states.

Without a statement it is found from the script, where that is no guess: a text in Latin letters
counts as one in the language of the site.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from unicodedata import name

from knowledge.locales.locale import OtherLanguage

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


def language_of_script(letters: str) -> OtherLanguage | None:
    """Return the language of letters that are mostly in another script than Latin and Arabic.

    >>> [language_of_script(letters) for letters in ("Проба", "こんにちは世界", "Épreuve")]
    ['und-Cyrl', 'ja', None]
    """
    others = [each for each in letters if each > _LAST_LATIN_MARK and not _is_arabic(each)]
    if 2 * len(others) <= len(letters):
        return None
    scripts = Counter(name(each, "").partition(" ")[0].partition("-")[0] for each in others)
    if scripts["HIRAGANA"] + scripts["KATAKANA"]:
        del scripts["CJK"]  # Japanese has both
    tag = _BY_SCRIPT.get(scripts.most_common(1)[0][0])
    return OtherLanguage(tag) if tag else None


def _is_arabic(letter: str) -> bool:
    return "\u0600" <= letter <= "\u06ff"
