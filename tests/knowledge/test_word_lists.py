"""The operator's words for search."""

from __future__ import annotations

import pytest
from conftest import Content

from knowledge.loading import load_content
from knowledge.word_lists import NO_WORD_LISTS, WORD_LISTS_FILE, WordLists, parse_word_lists


def test_lines_are_groups_and_exceptions() -> None:
    """Remarks and empty lines say nothing; an Arabic comma is a comma."""
    text = "# trade\n\ntill, counter  # here\nفاتورة، فواتير\nkeep: busy, news\nroot: بطاقة\nvat\n"
    lists, diagnostics = parse_word_lists(text)
    groups = (("till", "counter"), ("فاتورة", "فواتير"), ("vat",))
    assert lists == WordLists(groups, ("busy", "news"), ("بطاقة",))
    assert diagnostics == ()


@pytest.mark.parametrize(
    ("line", "told"),
    [
        pytest.param("point of sale, till", "“point of sale” is more than one word.", id="phrase"),
        pytest.param("till, ***", "“***” holds no letter.", id="no letter"),
        pytest.param("keep:", "The line names no word.", id="nothing to keep"),
        pytest.param(",", "The line names no word.", id="a comma alone"),
        pytest.param("x" * 41, f"“{'x' * 40}…” is too long for a word.", id="long"),
        pytest.param(", ".join("abcdefghijklmnopqrstu"), "more than 20 words", id="many"),
    ],
)
def test_a_line_that_says_nothing_is_left_out_and_named(line: str, told: str) -> None:
    """The others count all the same."""
    lists, diagnostics = parse_word_lists(f"tax, taxes\n{line}\n")
    assert lists == WordLists((("tax", "taxes"),))
    (diagnostic,) = diagnostics
    assert (diagnostic.path, diagnostic.line) == (WORD_LISTS_FILE, 2)
    assert told in diagnostic.message


def test_a_folder_has_its_words_with_it(content: Content) -> None:
    """They are read with the folder, and their faults are among its faults."""
    assert load_content(content({})).word_lists is NO_WORD_LISTS
    reading = load_content(content({WORD_LISTS_FILE: "till, counter\n---\n"}))
    assert reading.word_lists.groups == (("till", "counter"),)
    assert [diagnostic.location for diagnostic in reading.diagnostics] == [f"{WORD_LISTS_FILE}:2"]


def test_words_that_cannot_be_read_keep_the_last_good_ones(content: Content) -> None:
    """As every file does."""
    before = load_content(content({WORD_LISTS_FILE: "till, counter\n"}))
    reading = load_content(content({WORD_LISTS_FILE: b"\xff\xfe"}), before)
    assert reading.word_lists == before.word_lists
    assert [diagnostic.path for diagnostic in reading.diagnostics] == [WORD_LISTS_FILE]
