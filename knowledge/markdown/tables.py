"""Tables of GitHub Flavored Markdown, with or without outer pipes.

A row needs not have as many cells as the header: missing cells are empty, surplus ones are dropped.
mistune's own plugin takes such a table for a paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from re import Match
from typing import Any

import mistune
from mistune.block_parser import BlockParser
from mistune.core import BlockState

Token = dict[str, Any]

MAX_MISSING_CELLS = 50_000
"""Limit for one table; it ends at the row beyond it, or a long header would fill the memory."""

# A line with a pipe, and below it the delimiter row: pipes, dashes, colons.
_PATTERN = (
    r"^ {0,3}(?=\S)(?P<table_header>[^\n|]*+\|[^\n]*+)\n"
    r"(?P<table_indent> {0,3})(?P<table_delimiters>[|:-][-:| \t]*+)(?:\n|\Z)"
)
_DELIMITER = re.compile(r"(:?)-+(:?)")
_PIPE = re.compile(r"(?<!\\)\|")
_ALIGNMENTS = {("", ""): None, (":", ""): "left", ("", ":"): "right", (":", ":"): "center"}
_INTERRUPTIONS = (
    "fenced_directive",
    "fenced_code",
    "atx_heading",
    "thematic_break",
    "block_quote",
    "list",
    "block_html",
)
"""The rules of the blocks that end a table."""


def tables(md: mistune.Markdown) -> None:
    """Add tables to a mistune parser, also within block quotes and lists."""
    md.block.register("table", _PATTERN, _parse_table)
    md.block.insert_rule(md.block.block_quote_rules, "table")
    md.block.insert_rule(md.block.list_rules, "table")


def _parse_table(block: BlockParser, match: Match[str], state: BlockState) -> int | None:
    aligns = _alignments(match["table_delimiters"])
    header = _cells(match["table_header"])
    is_lazy = match.start("table_indent") in state.lazy_line_starts
    if aligns is None or len(header) != len(aligns) or is_lazy:
        return None
    head: Token = {"type": "table_head", "children": _tokens(header, aligns, is_head=True)}
    rows, end = _rows(block, state, match.end(), aligns)
    body = [{"type": "table_body", "children": rows}] if rows else []
    state.append_token({"type": "table", "children": [head, *body]})
    return end


def _alignments(delimiters: str) -> list[str | None] | None:
    """Return the alignment of each column, or None if a cell has other characters."""
    matches = [_DELIMITER.fullmatch(cell) for cell in _cells(delimiters)]
    found = [match for match in matches if match]
    if len(found) < len(matches):
        return None
    return [_ALIGNMENTS[match[1], match[2]] for match in found]


def _rows(
    block: BlockParser, state: BlockState, start: int, aligns: list[str | None]
) -> tuple[list[Token], int]:
    """Return the rows from an offset on, and the offset after them."""
    rows: list[Token] = []
    missing, position = 0, start
    for line in _row_lines(block, state, start):
        cells = _cells(line)
        missing += max(0, len(aligns) - len(cells))
        if missing > MAX_MISSING_CELLS:
            break
        rows.append({"type": "table_row", "children": _tokens(cells, aligns, is_head=False)})
        position += len(line)
    return rows, position


def _row_lines(block: BlockParser, state: BlockState, position: int) -> Iterator[str]:
    """Yield the lines of a table's rows: up to a blank line or to another block."""
    rules = [rule for rule in _INTERRUPTIONS if rule in block.specification]
    interruption = block.compile_sc(rules)
    while position < state.cursor_max:
        line = state.get_line(position)
        is_code = line.startswith(("    ", "\t"))
        if not line.strip() or is_code or interruption.match(state.src, position):
            return
        yield line
        position += len(line)


def _tokens(cells: list[str], aligns: list[str | None], *, is_head: bool) -> list[Token]:
    """Return as many cells as there are columns."""
    texts = cells[: len(aligns)] + [""] * (len(aligns) - len(cells))
    return [
        {"type": "table_cell", "text": text, "attrs": {"align": align, "head": is_head}}
        for text, align in zip(texts, aligns, strict=True)
    ]


def _cells(line: str) -> list[str]:
    r"""Return the cells of a row; an escaped pipe is a character of its cell, also in code.

    >>> _cells(r"| a | `b \| c` |")
    ['a', '`b | c`']
    """
    cells = _PIPE.split(line.strip())
    if len(cells) > 1 and not cells[0].strip():
        cells = cells[1:]
    if len(cells) > 1 and not cells[-1].strip():
        cells = cells[:-1]
    return [cell.replace("\\|", "|").strip() for cell in cells]
