"""The operator's word lists for search."""

from __future__ import annotations

import pytest
from cases import cases
from conftest import Content

from knowledge.documents.site_files import (
    NO_WORD_LISTS,
    WORD_LISTS_FILE,
    WordLists,
    parse_word_lists,
)
from knowledge.snapshot.loading import load_content


def test_lines_are_groups_and_exceptions() -> None:
    """Comments and empty lines are ignored; an Arabic comma separates words too."""
    text = "# trade\n\ntill, counter  # here\nفاتورة، فواتير\nkeep: busy, news\nroot: بطاقة\nvat\n"
    lists, diagnostics = parse_word_lists(text)
    groups = (("till", "counter"), ("فاتورة", "فواتير"), ("vat",))
    assert lists == WordLists(groups, ("busy", "news"), ("بطاقة",))
    assert diagnostics == ()


@cases(
    "line",
    [
        pytest.param("POS = point of sale = نقطة بيع", id="equals signs"),
        pytest.param("POS, point of sale، نقطة بيع", id="commas"),
        pytest.param("= POS=point  of\tsale ,= نقطة بيع,", id="both, and any white space"),
    ],
)
def test_a_group_has_words_and_phrases_in_any_script(line: str) -> None:
    """Commas and equals signs separate them."""
    lists, diagnostics = parse_word_lists(line)
    assert lists.groups == (("POS", "point of sale", "نقطة بيع"),)
    assert diagnostics == ()


@cases(
    ("line", "problem"),
    [
        pytest.param(
            "keep: point of sale, till",
            "“point of sale” is more than one word, and “keep:” takes single words.",
            id="keep a phrase",
        ),
        pytest.param(
            "root: وردية الصباح", "“وردية الصباح” is more than one word", id="a phrase as root"
        ),
        pytest.param("point of sale", "“point of sale” is a phrase without a synonym.", id="alone"),
        pytest.param("=", "The line contains no words.", id="only an equals sign"),
        pytest.param("till, ***", "“***” contains no letter or digit.", id="no letter"),
        pytest.param("keep:", "The line contains no words.", id="nothing to keep"),
        pytest.param(",", "The line contains no words.", id="only a comma"),
        pytest.param("x" * 41, f"“{'x' * 40}…” is longer than 40 characters.", id="long"),
        pytest.param(
            ", ".join("abcdefghijklmnopqrstu"), "more than 20 words or phrases", id="many"
        ),
    ],
)
def test_an_invalid_line_is_ignored_and_reported(line: str, problem: str) -> None:
    """The other lines count."""
    lists, diagnostics = parse_word_lists(f"tax, taxes\n{line}\n")
    assert lists == WordLists((("tax", "taxes"),))
    (diagnostic,) = diagnostics
    assert (diagnostic.path, diagnostic.line) == (WORD_LISTS_FILE, 2)
    assert problem in diagnostic.message


def test_word_lists_are_loaded_with_the_folder(content: Content) -> None:
    """Their diagnostics are part of the load's."""
    assert load_content(content({})).word_lists is NO_WORD_LISTS
    loaded = load_content(content({WORD_LISTS_FILE: "till, counter\n---\n"}))
    assert loaded.word_lists.groups == (("till", "counter"),)
    assert [diagnostic.location for diagnostic in loaded.diagnostics] == [f"{WORD_LISTS_FILE}:2"]


def test_an_unreadable_file_keeps_the_last_good_word_lists(content: Content) -> None:
    """And is reported, as a document would be."""
    before = load_content(content({WORD_LISTS_FILE: "till, counter\n"}))
    loaded = load_content(content({WORD_LISTS_FILE: b"\xff\xfe"}), before)
    assert loaded.word_lists == before.word_lists
    assert [diagnostic.path for diagnostic in loaded.diagnostics] == [WORD_LISTS_FILE]
