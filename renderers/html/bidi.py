"""Bidirectional text: language detection, `lang` and `dir` attributes, and isolation."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

from knowledge.locale import Language, TextLanguage

_ARABIC = re.compile(r"[\u0620-\u064a\u066e-\u06d3]")
_LATIN = re.compile(r"[A-Za-z]")
_PHONE = r"(?P<phone>\+\d[\d ()\u00a0-]{5,}\d)"
_SUM = r"\d[\d.,]*+(?P<sum>(?:\s*+[×÷=]\s*+\d[\d.,]*+)+)?"
_LEFT_TO_RIGHT = re.compile(f"{_PHONE}|{_SUM}")
"""Phone numbers and calculations. A plain number matches too, although it needs no isolation:
otherwise the search restarts at each digit, which takes quadratic time."""


def detect_language(text: str, expected: Language) -> Language:
    """Detect the language of a text by its script, ignoring names in the other script.

    >>> detect_language("Point of Sale", Language.AR), detect_language("منفذ HDMI", Language.AR)
    (<Language.EN: 'en'>, <Language.AR: 'ar'>)
    """
    arabic = bool(_ARABIC.search(text))
    if expected is Language.AR:
        return Language.EN if not arabic and _LATIN.search(text) else Language.AR
    return Language.AR if arabic and not _LATIN.search(text) else Language.EN


def language_attributes(language: TextLanguage) -> Markup:
    """Return the `lang` and `dir` attributes of an element."""
    return Markup(' lang="{}" dir="{}"').format(str(language), language.direction)


def foreign_attributes(text: str, expected: Language) -> Markup:
    """Return `lang` and `dir` if the text is not in the expected language, else nothing."""
    language = detect_language(text, expected)
    return Markup() if language is expected else language_attributes(language)


def bdi(text: object) -> Markup:
    """Isolate a name or number from the direction of the surrounding text."""
    return Markup("<bdi>{}</bdi>").format(text)


def isolate_ltr(text: str) -> Markup:
    """Escape a text and isolate its phone numbers and calculations as left-to-right.

    >>> isolate_ltr("هاتف +971 4 555 0142")
    Markup('هاتف <bdi dir="ltr">+971 4 555 0142</bdi>')
    """
    return Markup(_LEFT_TO_RIGHT.sub(_isolated, escape(text)))  # noqa: S704  # it is escaped


def _isolated(match: re.Match[str]) -> str:
    is_number = match["phone"] is None and match["sum"] is None
    return match[0] if is_number else f'<bdi dir="ltr">{match[0]}</bdi>'
