"""The markdown parser: mistune with tables, limited to linear time.

mistune alone takes 32 seconds for a heading with 80,000 spaces, and minutes for 100 kB of stars.
"""

from __future__ import annotations

import string
from re import Match
from typing import Any

import mistune
from mistune.block_parser import BlockParser
from mistune.core import BlockState
from mistune.inline_parser import InlineParser

from knowledge.markdown_extensions import extensions
from knowledge.markdown_tables import tables

Token = dict[str, Any]
_DEPTH = "depth"

MAX_EMPHASIS_MARKS = 2_000
"""Limit for one run of text; beyond it, stars and underscores are plain text."""


MAX_INTERRUPTIONS = 40
"""Maximum of consecutive blocks without a blank line; mistune nests one call for each."""


class MarkdownBlocks(BlockParser):
    """mistune's block parser without quadratic time for long headings and many short blocks."""

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


class _Inline(InlineParser):
    """mistune's inline parser with a limit of emphasis marks, which it pairs in quadratic time."""

    def finalize_tokens(self, tokens: list[Token], depth: int) -> list[Token]:
        text = "".join([token["raw"] for token in tokens if token["type"] == "text"])
        marks = text.count("*") + text.count("_")
        return super().finalize_tokens(
            tokens, depth if marks <= MAX_EMPHASIS_MARKS else self.max_nested_level
        )


def markdown_parser(blocks: BlockParser | None = None) -> mistune.Markdown:
    """Return a parser to tokens; `blocks` may be a subclass with more data for each block."""
    return mistune.Markdown(
        renderer=None,
        block=blocks or MarkdownBlocks(),
        inline=_Inline(),
        plugins=[tables, extensions],
    )
