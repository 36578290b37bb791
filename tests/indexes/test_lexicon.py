"""Parts of words, and words that look like one another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexes.lexicon import Lexicon

WORDS = st.lists(st.text("abcé ف", max_size=6).map(lambda text: text.replace(" ", "")), max_size=20)


@given(WORDS, st.text("abcéف", min_size=1, max_size=4))
def test_a_part_is_found_in_each_word_that_holds_it(words: list[str], part: str) -> None:
    """Once in each, in the words' order."""
    expected = [number for number, word in enumerate(words) if part in word]
    assert list(Lexicon(words).holding(part)) == expected


@pytest.mark.parametrize(
    ("word", "found"),
    [
        pytest.param("invoce", ["invoice"], id="a letter missing"),
        pytest.param("invvoice", ["invoice"], id="a letter twice"),
        pytest.param("inboice", ["invoice"], id="a wrong letter"),
        pytest.param("invioce", ["invoice"], id="two letters swapped"),
        pytest.param("wharehuose", ["warehouse"], id="two slips in a long word"),
        pytest.param("stcok", ["stock"], id="a swap in a short word"),
        pytest.param("stroke", [], id="two slips in a short word"),
        pytest.param("فاترة", ["فاتورة"], id="Arabic"),
        pytest.param("stock", [], id="the word itself"),
        pytest.param("vt", [], id="too short to tell"),
    ],
)
def test_words_that_look_alike_are_near(word: str, found: list[str]) -> None:
    """One slip, or two in a long word."""
    assert Lexicon(["invoice", "stock", "vat", "warehouse", "فاتورة"]).near(word) == found
