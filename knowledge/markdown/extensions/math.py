"""Formulas in TeX: `$…$` in a text, and `$$…$$` as a block or in a text.

As in Pandoc, a dollar sign opens a formula only before a letter or sign, and closes it only after
one and not before a digit, so that `$5 and $10` are prices.
"""

from __future__ import annotations

from re import Match

import mistune
from mistune.block_parser import BlockParser
from mistune.core import BlockState, InlineState
from mistune.inline_parser import InlineParser

from knowledge.markdown.extensions.nesting import register_block

_SIGN = r"(?:(?!\n[ \t]*\n)[^$\\]|\\[^\n])"
_BLOCK = rf"^ {{0,3}}\$\$(?P<block_tex>{_SIGN}++)\$\$[ \t]*$"
_INLINE = (
    rf"\$\$(?P<display_math>{_SIGN}++)\$\$"
    rf"|(?<![\w$])\$(?![\s$])(?P<inline_math>{_SIGN}++)(?<!\s)\$(?![\w$])"
)


def math(md: mistune.Markdown) -> None:
    """Add formulas to a mistune parser."""
    md.block.register("block_math", _BLOCK, _parse_block, before="list")
    register_block(md, "block_math", before="list")
    md.inline.register("math", _INLINE, _parse_inline, before="codespan", start_chars="$")


def _parse_block(block: BlockParser, match: Match[str], state: BlockState) -> int:
    state.append_token({"type": "block_math", "raw": match["block_tex"].strip()})
    return match.end() + 1


def _parse_inline(inline: InlineParser, match: Match[str], state: InlineState) -> int:
    display = match["display_math"]
    tex = match["inline_math"] if display is None else display
    attributes = {"is_block": display is not None}
    state.append_token({"type": "inline_math", "raw": tex.strip("` \n"), "attrs": attributes})
    return match.end()
