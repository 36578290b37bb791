"""Strikethrough of GitHub Flavored Markdown: text between one or two tildes.

A single tilde within a word, as in `5~10` or `H~2~O`, stays a tilde.
"""

from __future__ import annotations

import re
from re import Match

import mistune
from mistune.core import InlineState
from mistune.inline_parser import InlineParser

_PATTERN = r"~~(?=[^\s~])|(?<![\w~])~(?=[^\s~])"
_WORD = re.compile(r"\w")


def strikethrough(md: mistune.Markdown) -> None:
    """Add strikethrough to a mistune parser."""
    md.inline.register("strikethrough", _PATTERN, _parse, before="link", start_chars="~")


def _parse(inline: InlineParser, match: Match[str], state: InlineState) -> int | None:
    marker, start = match[0], match.end()
    close = state.delimiters.find(marker, start, formatting=True)
    if close is None or state.depth >= inline.max_nested_level:
        return None
    end = close + len(marker)
    if len(marker) == 1 and _WORD.match(state.src, end):
        return None
    inner = state.copy()
    inner.src = state.src[start:close]
    state.append_token({"type": "strikethrough", "children": inline.render(inner)})
    return end
