"""Posting lists of an index in memory: their content and their size."""

from __future__ import annotations

from indexes.catalogue import TITLE, index_of
from indexes.memory import opened
from indexes.vocabulary import Vocabulary

COUNT = 2_000
TEXTS = [("tax " * (1 + number % 3), "") for number in range(COUNT)]
"""Each text has the word once, twice or three times."""


def test_a_posting_list_holds_the_frequency_of_the_word_in_each_text() -> None:
    """It is complete across block boundaries."""
    reader = opened(index_of(TEXTS, Vocabulary()))
    postings = list(reader.postings(TITLE, "tax").counted())
    assert postings == [(number, 1 + number % 3) for number in range(COUNT)]
    assert list(reader.postings(TITLE, "tax").numbers()) == list(range(COUNT))


def test_a_posting_takes_four_bytes() -> None:
    """Two bytes for the difference to the next number, and two for the frequency."""
    (postings,) = (
        content for name, content in index_of(TEXTS, Vocabulary()).items() if name.endswith(".pst")
    )
    entries = 2 * COUNT  # one as a word, one as a stem
    assert len(postings) < entries * 4.2
