"""An index in memory: what its lists say, and the room that they take."""

from __future__ import annotations

from indexes.catalogue import TITLE, index_of
from indexes.memory import opened
from indexes.vocabulary import Vocabulary

COUNT = 2_000
TEXTS = [("tax " * (1 + number % 3), "") for number in range(COUNT)]
"""The word stands once, twice or three times in each."""


def test_a_list_tells_each_text_and_how_often_the_word_stands_there() -> None:
    """Across the ends of blocks."""
    reader = opened(index_of(TEXTS, Vocabulary()))
    found = list(reader.postings(TITLE, "tax").counted())
    assert found == [(number, 1 + number % 3) for number in range(COUNT)]
    assert list(reader.postings(TITLE, "tax").numbers()) == list(range(COUNT))


def test_an_entry_takes_four_bytes() -> None:
    """Two for the step to the next number, two for the count, and nothing that nobody reads."""
    (lists,) = (
        content for name, content in index_of(TEXTS, Vocabulary()).items() if name.endswith(".pst")
    )
    entries = 2 * COUNT  # as a word, and as a stem
    assert len(lists) < entries * 4.2
