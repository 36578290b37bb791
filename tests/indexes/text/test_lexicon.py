"""Substring and similarity search in a list of words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexes.text.lexicon import Lexicon

WORDS = st.lists(st.text("abcé ف", max_size=6).map(lambda text: text.replace(" ", "")), max_size=20)


@given(WORDS, st.text("abcéف", min_size=1, max_size=4))
def test_a_substring_search_finds_every_word_that_contains_it(words: list[str], part: str) -> None:
    """Each word is returned once, in order."""
    expected = [number for number, word in enumerate(words) if part in word]
    assert list(Lexicon(words).holding(part)) == expected


@pytest.mark.parametrize(
    ("word", "similar"),
    [
        pytest.param("invoce", ["invoice"], id="a letter missing"),
        pytest.param("invvoice", ["invoice"], id="a letter twice"),
        pytest.param("inboice", ["invoice"], id="a wrong letter"),
        pytest.param("invioce", ["invoice"], id="two letters swapped"),
        pytest.param("wharehuose", ["warehouse"], id="two edits in a long word"),
        pytest.param("stcok", ["stock"], id="a swap in a short word"),
        pytest.param("stroke", [], id="two edits in a short word"),
        pytest.param("فاترة", ["فاتورة"], id="Arabic"),
        pytest.param("stock", [], id="the word itself"),
        pytest.param("vt", [], id="too short"),
    ],
)
def test_similar_words(word: str, similar: list[str]) -> None:
    """They are one edit away, or two for a long word."""
    assert Lexicon(["invoice", "stock", "vat", "warehouse", "فاتورة"]).near(word) == similar
