"""Sections of an llms.txt: how their lines are distributed over files."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from llms.page_lines import LlmsSection, fit, pack

LINES = st.lists(st.integers(0, 60).map("x".__mul__), max_size=8).map(tuple)
SECTIONS = st.lists(st.builds(LlmsSection, st.sampled_from(["A", "Blog", "Cities"]), LINES))
SIZES = st.integers(-10, 150)


def size_of(sections: Iterable[LlmsSection]) -> int:
    """Return the number of characters of the sections."""
    return sum(len(section.text) for section in sections)


def lines_of(*files: Iterable[LlmsSection]) -> list[str]:
    """Return all lines of the files, in order."""
    return [line for file in files for section in file for line in section.lines]


@given(SECTIONS, SIZES)
def test_files_hold_all_lines_that_fit_into_one(sections: list[LlmsSection], size: int) -> None:
    """They are in order; no file is empty or too long. A longer line would never fit: it goes."""
    files = list(pack(sections, size))
    alone = [(line, LlmsSection(each.heading, (line,))) for each in sections for line in each.lines]
    assert lines_of(*files) == [line for line, section in alone if len(section.text) <= size]
    assert all(file and size_of(file) <= size for file in files)


@given(SECTIONS, SIZES.filter(lambda size: size >= 0))
def test_the_first_file_and_the_rest_hold_all_lines(sections: list[LlmsSection], size: int) -> None:
    """The first file respects its size."""
    shown, rest = fit(sections, size)
    assert size_of(shown) <= size
    assert sorted(lines_of(shown, rest)) == sorted(lines_of(sections))


def test_a_line_longer_than_a_file_is_omitted() -> None:
    """The lines around it stay."""
    section = LlmsSection("Blog", ("- one", "- " + "x" * 100, "- two"))
    assert list(pack([section], 50)) == [[LlmsSection("Blog", ("- one", "- two"))]]
