"""The markdown parser: mistune with tables, in time that grows with the text alone."""

from __future__ import annotations

import string
from re import Match
from typing import Any

import mistune
from mistune.block_parser import BlockParser
from mistune.core import BlockState
from mistune.inline_parser import InlineParser

from knowledge.markdown_tables import tables

Token = dict[str, Any]
_DEPTH = "depth"

MAX_EMPHASIS_MARKS = 2_000
"""In one run of text; beyond, stars and underscores are shown as they are."""


MAX_INTERRUPTIONS = 40
"""So many blocks in a row may begin without a blank line; mistune nests a call for each."""


class MarkdownBlocks(BlockParser):
    """mistune's blocks; neither a heading full of blanks nor many short blocks cost it more."""

    def parse_method(self, m: Match[str], state: BlockState) -> int | None:
        """Parse a block, unless it would be one too deep: then its line goes on the last one."""
        depth = state.env.get(_DEPTH, 0)
        if depth >= MAX_INTERRUPTIONS:
            return None
        state.env[_DEPTH] = depth + 1
        try:
            return super().parse_method(m, state)
        finally:
            state.env[_DEPTH] = depth

    def parse_atx_heading(self, m: Match[str], state: BlockState) -> int:
        """A heading without its closing signs, which mistune looks for from every blank."""
        text = m["atx_2"].strip(string.whitespace)
        shown = text.rstrip()
        bare = shown.rstrip("#")
        if bare != shown and (not bare or bare[-1].isspace()):
            text = bare.rstrip()
        attributes = {"level": len(m["atx_1"])}
        state.append_token({"type": "heading", "text": text, "attrs": attributes, "style": "atx"})
        return m.end() + 1


class _Inline(InlineParser):
    """mistune's inline markup; pairing emphasis takes it the square of the marks."""

    def finalize_tokens(self, tokens: list[Token], depth: int) -> list[Token]:
        marks = sum(
            token["raw"].count("*") + token["raw"].count("_")
            for token in tokens
            if token["type"] == "text"
        )
        return super().finalize_tokens(
            tokens, depth if marks <= MAX_EMPHASIS_MARKS else self.max_nested_level
        )


def markdown_parser(blocks: BlockParser | None = None) -> mistune.Markdown:
    """A parser to tokens; `blocks` may be one that notes more about each block."""
    return mistune.Markdown(
        renderer=None, block=blocks or MarkdownBlocks(), inline=_Inline(), plugins=[tables]
    )
