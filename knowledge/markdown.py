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

MAX_EMPHASIS_MARKS = 2_000
"""In one run of text; beyond, stars and underscores are shown as they are."""


class MarkdownBlocks(BlockParser):
    """mistune's blocks; a heading full of blanks costs no more than another."""

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
