"""The markdown parser: mistune with GFM, call-outs, footnotes, further lists, math; in linear time.

mistune alone takes 32 seconds for a heading with 80,000 spaces, and minutes for 100 kB of stars.
`renderers/html/extensions.py` renders the tokens of what is neither CommonMark nor GFM.

Python gives other threads their turn between two steps of its own, but not within a search or a
garbage collection. So a search of a large text goes window by window, and no collection runs while
its tokens exist: one takes 150 ms with those of a table of 1 MB. They have no cycles.
"""

import gc
import string
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from re import Match, Pattern
from threading import Lock
from typing import Any, cast

import mistune
from mistune.block_parser import BlockParser
from mistune.core import BlockState, InlineState
from mistune.inline_parser import InlineParser
from mistune.util import unescape

from knowledge.markdown.containers import callouts, definition_lists, task_lists
from knowledge.markdown.footnotes import footnotes
from knowledge.markdown.gfm import autolinks, strikethrough, tables, with_autolinks
from knowledge.markdown.math import math
from knowledge.markdown.raw_html import with_mentions


class _LinePattern:
    """A pattern that matches at the beginning of a line only, as those of all blocks do.

    A search of `re` tries each character: 250 ms for a line of 1 MB, in which no other thread runs.
    """

    __slots__ = ("match",)

    def __init__(self, pattern: Pattern[str]) -> None:
        self.match = pattern.match

    def search(self, text: str, position: int) -> Match[str] | None:
        """Return the first match from a position on."""
        while True:
            match = self.match(text, position)
            position = text.find("\n", position) + 1
            if match or not position:
                return match


_DEPTH = "depth"

MAX_INTERRUPTIONS = 40
"""Maximum of consecutive blocks without a blank line; mistune nests one call for each."""

_ENDS_OF_QUOTES = ["blank_line", "thematic_break", "fenced_code", "list", "block_html"]
"""The rules whose blocks end a quote in mistune, although the quote has no blank line."""


class MarkdownBlocks(BlockParser):
    """mistune's block parser without quadratic time for long headings and many short blocks."""

    def compile_sc(self, rules: list[str] | None = None) -> Pattern[str]:
        """Compile rules; a heading ends a quote too, which mistune takes into the quote."""
        if rules == _ENDS_OF_QUOTES:
            rules = [*rules, "atx_heading"]
        return cast(Pattern[str], _LinePattern(super().compile_sc(rules)))

    def parse_method(self, m: Match[str], state: BlockState) -> int | None:
        """Parse a block; beyond the nesting limit its line continues the previous block."""
        depth = state.env.get(_DEPTH, 0)
        if depth >= MAX_INTERRUPTIONS:
            return None
        state.env[_DEPTH] = depth + 1
        try:
            return super().parse_method(m, state)
        finally:
            state.env[_DEPTH] = depth

    def parse_atx_heading(self, m: Match[str], state: BlockState) -> int:
        """Parse a heading; mistune's search for the closing `#` takes quadratic time."""
        text = m["atx_2"].strip(string.whitespace)
        trimmed = text.rstrip()
        content = trimmed.rstrip("#")
        if content != trimmed and (not content or content[-1].isspace()):
            text = content.rstrip()
        attributes = {"level": len(m["atx_1"])}
        state.append_token({"type": "heading", "text": text, "attrs": attributes, "style": "atx"})
        return m.end() + 1


_ENTITY = r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"


Token = dict[str, Any]

MAX_EMPHASIS_MARKS = 2_000
"""Limit for one run of text; beyond it, stars and underscores are plain text."""


class _InlineMarkdown(InlineParser):
    """mistune's inline parser, which decodes entities and links bare addresses.

    It pairs a limited number of emphasis marks, because that takes quadratic time.
    """

    def __init__(self) -> None:
        super().__init__()
        self.register("entity", _ENTITY, _parse_entity, start_chars="&")

    def __call__(self, s: str, env: MutableMapping[str, Any]) -> list[Token]:
        tokens = super().__call__(s, env)
        if "<" in s:
            tokens = with_mentions(tokens)
        has_address = "@" in s or "www." in s or "://" in s
        return with_autolinks(tokens) if has_address else tokens

    def finalize_tokens(self, tokens: list[Token], depth: int) -> list[Token]:
        text = "".join([token["raw"] for token in tokens if token["type"] == "text"])
        marks = text.count("*") + text.count("_")
        return super().finalize_tokens(
            tokens, depth if marks <= MAX_EMPHASIS_MARKS else self.max_nested_level
        )

    def parse_auto_link(self, m: Match[str], state: InlineState) -> int:
        """Parse an address in angle brackets; its text is not that of a source."""
        end = super().parse_auto_link(m, state)
        if not state.in_link:
            state.tokens[-1]["children"] = [{"type": "text", "raw": unescape(m[0][1:-1])}]
        return end


def _parse_entity(inline: InlineParser, match: Match[str], state: InlineState) -> int:
    """Decode an entity; the character is text, never markup."""
    inline.process_text(unescape(match[0]), state, parse_emphasis=False)
    return match.end()


def markdown_parser(blocks: BlockParser | None = None) -> mistune.Markdown:
    """Return a parser to tokens; `blocks` may be a subclass with more data for each block."""
    return mistune.Markdown(
        renderer=None,
        block=blocks or MarkdownBlocks(),
        inline=_InlineMarkdown(),
        plugins=[
            *(tables, strikethrough, autolinks),
            *(callouts, definition_lists, footnotes, math, task_lists),
        ],
    )


LARGE_CHARACTERS = 50_000
"""A text with more characters is large."""

WINDOW_CHARACTERS = 50_000
"""A search looks at so many characters at once, and at the rest of the last line."""


class _CollectorPause:
    """Counts the threads that work on large texts; none of them ends the pause of another."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._threads = 0
        self._was_enabled = True

    def begin(self) -> None:
        with self._lock:
            if not self._threads:
                self._was_enabled = gc.isenabled()
                gc.disable()
            self._threads += 1

    def end(self) -> None:
        with self._lock:
            self._threads -= 1
            if not self._threads and self._was_enabled:
                gc.enable()


_PAUSE = _CollectorPause()


@contextmanager
def collector_paused(text: str) -> Iterator[None]:
    """Run no garbage collection during the block if a text is large."""
    if len(text) <= LARGE_CHARACTERS:
        yield
        return
    _PAUSE.begin()
    try:
        yield
    finally:
        _PAUSE.end()


def search(pattern: Pattern[str], text: str, position: int) -> Match[str] | None:
    """Return the first match of a pattern from a position on.

    A match that ends with its window may be cut, and is repeated on the whole text.
    """
    while position < len(text):
        end = len(text)
        if position + WINDOW_CHARACTERS < end:
            end = text.find("\n", position + WINDOW_CHARACTERS) + 1 or end
        match = pattern.search(text, position, end)
        if match:
            is_cut = match.end() == end < len(text)
            return pattern.search(text, match.start()) if is_cut else match
        # What begins in the last line of a window may end in the next one.
        last_line = text.rfind("\n", position, end - 1) + 1
        position = last_line if last_line > position and end < len(text) else end
    return None
