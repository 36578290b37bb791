"""Excerpts: the sentence with the words of a search."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from cases import cases

from knowledge.resources.passages import excerpt

LONG = "word " * 200


def spans(text: str) -> Sequence[tuple[int, int]]:
    """Find two words."""
    return [match.span() for match in re.finditer("sugar|salt", text, re.IGNORECASE)]


@cases(
    ("markdown", "expected"),
    [
        pytest.param("", "", id="no text"),
        pytest.param("One. Two.", "One. Two.", id="without words the first"),
        pytest.param(f"{LONG[:99]}. Sugar, sugar. Salt and *sugar*.", "Salt and sugar.", id="most"),
        pytest.param("- one\n- sugar\n- two", "sugar", id="an item stands alone"),
        pytest.param("|a|b|\n|-|-|\n|c|[salt](/s)|", "c salt", id="a row of a table"),
        pytest.param("# H\n\nAt 1.5 kg of sugar! Ok.", "At 1.5 kg of sugar! Ok.", id="a number"),
        pytest.param("هل يوجد؟ نعم، sugar.", "نعم، sugar.", id="Arabic signs"),
    ],
)
def test_the_sentence_with_most_words_is_shown(markdown: str, expected: str) -> None:
    """A short one is followed by the next of its paragraph."""
    assert excerpt(markdown, spans) == expected


def test_a_long_sentence_is_cut_around_the_word() -> None:
    """Between words, with a sign at each end."""
    text = excerpt(f"{LONG}sugar {LONG}", spans)
    assert re.fullmatch("… (word )+sugar (word )+…", text)
    assert len(text) <= 250
    assert excerpt(LONG + "sugar", spans).endswith(" sugar")
    assert len(excerpt("a" * 3_000 + " sugar" + "b" * 900, spans)) <= 250
