"""Markdown tables: mistune's plugin, limited to linear time.

mistune rejects a table without outer pipes if a row has another number of cells. It then tries the
next line as a header and reads all rows again: 29 seconds for 4,000 lines. Here the rows of a text
are compared only once, which takes 40 ms.
"""

from __future__ import annotations

from dataclasses import dataclass
from re import Match

import mistune
from mistune.block_parser import BlockParser
from mistune.core import BlockState
from mistune.plugins.table import NP_TABLE_PATTERN, parse_nptable, table

_ROWS = "rows"


@dataclass(frozen=True, slots=True)
class _Rows:
    """Lines with pipes up to offset `end`; from `uniform_from` all have the same cell count."""

    source: str
    end: int
    uniform_from: int
    cell_count: int

    def has_mismatched_row(self, header: str, rows_from: int) -> bool:
        """Return whether a row after `rows_from` has another cell count than the header."""
        if rows_from >= self.end:
            return False
        return rows_from < self.uniform_from or _cell_count(header) != self.cell_count


def tables(md: mistune.Markdown) -> None:
    """Add tables with and without outer pipes to a mistune parser."""
    table(md)
    md.block.register("nptable", NP_TABLE_PATTERN, _parse_table, before="paragraph")


def _parse_table(block: BlockParser, match: Match[str], state: BlockState) -> int | None:
    cached: _Rows | None = state.env.get(_ROWS)
    is_cached = cached is not None and cached.source is state.src and match.end() < cached.end
    if cached is not None and is_cached:
        rows_from = match.end() + len(state.get_line(match.end()))
        if cached.has_mismatched_row(match[0], rows_from):
            return None
    end: int | None = parse_nptable(block, match, state)
    if end is None and not is_cached:
        state.env[_ROWS] = _rows_at(state, match.end())
    return end


def _rows_at(state: BlockState, start: int) -> _Rows:
    position = uniform_from = start
    cell_count = 0
    while position < state.cursor_max:
        line = state.get_line(position)
        if "|" not in line:
            break
        if _cell_count(line) != cell_count:
            uniform_from, cell_count = position, _cell_count(line)
        position += len(line)
    return _Rows(state.src, position, uniform_from, cell_count)


def _cell_count(line: str) -> int:
    """Return the number of cells of a row: its unescaped pipes plus one."""
    escaped, pipes = False, 0
    for character in line:
        pipes += character == "|" and not escaped
        escaped = character == "\\" and not escaped
    return pipes + 1
