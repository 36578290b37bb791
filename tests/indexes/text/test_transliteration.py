"""Arabic words in Latin letters and digits."""

from __future__ import annotations

import re

import pytest
from cases import cases

from indexes.text.transliteration import arabic_pattern
from indexes.text.words import fold


@cases(
    ("latin", "arabic"),
    [
        pytest.param("se3r", "سعر", id="a digit for a letter"),
        pytest.param("nezam", "نظام", id="a vowel that Arabic writes"),
        pytest.param("daman", "ضمان", id="a vowel that it does not write"),
        pytest.param("elfatoora", "فاتورة", id="with its article"),
        pytest.param("welfatoora", "فاتورة", id="with conjunction and article"),
        pytest.param("mo7asaba", "محاسبة", id="a feminine ending"),
        pytest.param("daribat", "ضريبة", id="a feminine ending before another word"),
        pytest.param("moddat", "مدة", id="a letter written twice"),
        pytest.param("qare2", "قارئ", id="a hamza"),
        pytest.param("khedma", "خدمة", id="two letters for one"),
        pytest.param("5edma", "خدمة", id="a digit for it"),
        pytest.param("s3r", "سعر", id="three letters with a digit"),
        pytest.param("3qd", "عقد", id="a digit first"),
        pytest.param("rb7", "ربح", id="a digit last"),
        pytest.param("f7s", "فحص", id="another digit"),
    ],
)
def test_a_word_stands_for_an_arabic_one(latin: str, arabic: str) -> None:
    """Its pattern matches the folded word."""
    pattern = arabic_pattern(latin)
    assert pattern is not None
    assert re.fullmatch(pattern, fold(arabic))


@cases("word", ["b2b", "mp3", "ps5", "b2c", "odoo", "12345", "سعر", "wh-pos", "café", "win10"])
def test_a_name_or_a_code_stands_for_none(word: str) -> None:
    """It has too few consonants, or other signs."""
    assert arabic_pattern(word) is None
