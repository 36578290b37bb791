"""Substring search in lines."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from indexes.blog.segment import Lines

WORDS = st.lists(st.text("abcé ف", max_size=6).map(lambda text: text.replace(" ", "")), max_size=20)


@given(WORDS, st.text("abcéف", min_size=1, max_size=4))
def test_a_substring_search_finds_every_word_that_contains_it(words: list[str], part: str) -> None:
    """Each word is returned once, in order."""
    expected = [number for number, word in enumerate(words) if part in word]
    assert list(Lines(words).holding(part)) == expected
