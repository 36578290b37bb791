"""Bidirectional text: language detection, `lang` and `dir` attributes, and isolation."""

from __future__ import annotations

import re
from collections.abc import Iterator

from markupsafe import Markup, escape

from knowledge.locales.locale import Language, TextLanguage
from knowledge.markdown.memoize import text_cache
from renderers.l10n.directional_runs import Span, ltr_runs, rtl_runs

_ARABIC = re.compile(r"[\u0620-\u064a\u066e-\u06d3]")
_LATIN = re.compile(r"[A-Za-z]")
_LONGEST_UNBROKEN = 24
"""A longer run may be broken at the end of a line: it could be wider than a phone."""

Direction = str
"""The direction of a paragraph, `ltr` or `rtl`."""


def detect_language(text: str, expected: Language) -> Language:
    """Detect the language of a text by its script, ignoring names in the other script.

    >>> detect_language("Point of Sale", Language.AR), detect_language("منفذ HDMI", Language.AR)
    (<Language.EN: 'en'>, <Language.AR: 'ar'>)
    """
    arabic = has_arabic(text)
    if expected is Language.AR:
        return Language.EN if not arabic and _LATIN.search(text) else Language.AR
    return Language.AR if arabic and not _LATIN.search(text) else Language.EN


def has_arabic(text: str) -> bool:
    """Return whether a text has an Arabic letter."""
    return bool(_ARABIC.search(text))


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


def isolated(text: str, direction: Direction) -> Markup:
    """Escape a text and isolate what a paragraph of this direction would reorder.

    >>> isolated("هاتف +971 4 555 0142", "rtl")
    Markup('هاتف <bdi dir="ltr">+971 4 555 0142</bdi>')
    """
    pieces, position = [], 0
    for start, end in isolated_runs(text, direction):
        pieces += [escape(text[position:start]), isolate(escape(text[start:end]), direction)]
        position = end
    return Markup().join([*pieces, escape(text[position:])])


def isolated_runs(text: str, direction: Direction) -> Iterator[Span]:
    """Yield the parts of a text that have to be isolated in a paragraph of this direction."""
    return rtl_runs(text) if direction == "ltr" else ltr_runs(text)


def isolate(html: Markup, direction: Direction) -> Markup:
    """Isolate a run, whose direction is the opposite of the paragraph's."""
    if direction == "ltr":
        return Markup('<bdi dir="rtl">{}</bdi>').format(html)
    is_long = len(html.striptags()) > _LONGEST_UNBROKEN
    breaks = Markup(' class="long"') if is_long else ""
    return Markup('<bdi dir="ltr"{}>{}</bdi>').format(breaks, html)


def paragraph_direction(text: str, expected: Language) -> Direction:
    """Return the direction of the element in which a template shows a text."""
    return "rtl" if Language.AR in (expected, detect_language(text, expected)) else "ltr"


def isolated_value(value: object, reader: Language) -> object:
    """Isolate runs in a value that a template shows as text; return any other as it is."""
    if not isinstance(value, str) or (reader is Language.EN and value.isascii()):
        return value
    if not isinstance(value, Markup):
        return _isolated_text(value, reader)
    if "<" in value or '="' in value:  # elements or attributes, not text
        return value
    return _isolated_text(value.unescape(), reader)


@text_cache
def _isolated_text(text: str, reader: Language) -> Markup:
    return isolated(text, paragraph_direction(text, reader))
