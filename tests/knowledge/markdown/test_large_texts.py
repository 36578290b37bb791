"""Work on a large text is done in pieces, between which other threads have their turn."""

from __future__ import annotations

import gc
import re
from re import Match, Pattern
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from knowledge.markdown import parser
from knowledge.markdown.parser import (
    LARGE_CHARACTERS,
    WINDOW_CHARACTERS,
    MarkdownBlocks,
    collector_paused,
    search,
)
from renderers.html import commonmark

_FENCE = re.compile(
    r"^(?P<fence>`{3,})[^\n]*\n.*?(?:^(?P=fence)$|\Z)|<[a-z]+>", re.MULTILINE | re.DOTALL
)


class _Recorder:
    """A pattern that records how many characters each of its searches may look at."""

    def __init__(self, pattern: Pattern[str]) -> None:
        self._pattern = pattern
        self.longest = 0

    def search(self, text: str, start: int, end: int) -> Match[str] | None:
        self.longest = max(self.longest, end - start)
        return self._pattern.search(text, start, end)


def test_a_search_looks_at_one_window_at_a_time() -> None:
    """And at the rest of the line."""
    recorder = _Recorder(_FENCE)
    text = "a line\n" * 200_000
    assert search(cast(Pattern[str], recorder), text, 0) is None
    assert recorder.longest <= WINDOW_CHARACTERS + len("a line\n")


@given(st.lists(st.sampled_from(["```\n", "x\n", "<a>", "\n", "y <b>\n"]), max_size=30))
def test_windows_change_no_match(pieces: list[str]) -> None:
    """Wherever a window ends, also within code."""
    text, position, found = "".join(pieces), 0, []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parser, "WINDOW_CHARACTERS", 3)
        while match := search(_FENCE, text, position):
            position = match.end()
            found.append(match.span())
    assert found == [match.span() for match in _FENCE.finditer(text)]


def test_no_collection_runs_while_a_large_text_is_rendered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It would stop all threads until it has seen each token."""
    states = []

    def rendered(*_: object) -> Markup:
        states.append(gc.isenabled())
        return Markup()

    monkeypatch.setattr(commonmark, "rendered", rendered)
    commonmark.render_markdown("x" * (LARGE_CHARACTERS + 1))
    commonmark.render_markdown("x" * 5_000)
    assert states == [False, True]
    assert gc.isenabled()


def test_the_pause_lasts_until_the_last_thread_is_done() -> None:
    """Also if one of them fails."""
    text = "x" * (LARGE_CHARACTERS + 1)
    with collector_paused(text):
        with pytest.raises(ValueError, match="x"), collector_paused(text):
            raise ValueError("x")
        assert not gc.isenabled()
    assert gc.isenabled()


def test_blocks_are_searched_line_by_line() -> None:
    """Each rule of a block begins at the beginning of a line; a search of `re` tries all of it."""
    pattern = MarkdownBlocks().compile_sc()
    assert not isinstance(pattern, re.Pattern)
    match = pattern.search("text\n[not a link\n# Heading\n", 0)
    assert match is not None
    assert match[0] == "# Heading"
