"""Markdown tables: mistune's plugin, in time that grows with the text alone.

mistune gives a table without outer pipes up where a row has another number of cells. It then tries
the next line as a header, and reads all rows again. Here the rows of a text are compared once.
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
    """Lines with pipes up to `end`: from `alike_from` on each has the same number of cells."""

    source: str
    end: int
    alike_from: int
    cells: int

    def break_table(self, header: str, rows_from: int) -> bool:
        """Whether a table with this header, whose rows begin there, has a row that does not fit."""
        if rows_from >= self.end:
            return False
        return rows_from < self.alike_from or _cells(header) != self.cells


def tables(md: mistune.Markdown) -> None:
    """A plugin for mistune: tables with and without outer pipes."""
    table(md)
    md.block.register("nptable", NP_TABLE_PATTERN, _parse_table, before="paragraph")


def _parse_table(block: BlockParser, match: Match[str], state: BlockState) -> int | None:
    known: _Rows | None = state.env.get(_ROWS)
    is_known = known is not None and known.source is state.src and match.end() < known.end
    if known is not None and is_known:
        rows_from = match.end() + len(state.get_line(match.end()))
        if known.break_table(match[0], rows_from):
            return None
    end: int | None = parse_nptable(block, match, state)
    if end is None and not is_known:
        state.env[_ROWS] = _rows_at(state, match.end())
    return end


def _rows_at(state: BlockState, start: int) -> _Rows:
    position = alike_from = start
    cells = 0
    while position < state.cursor_max:
        line = state.get_line(position)
        if "|" not in line:
            break
        if _cells(line) != cells:
            alike_from, cells = position, _cells(line)
        position += len(line)
    return _Rows(state.src, position, alike_from, cells)


def _cells(line: str) -> int:
    """How many cells a row has: its pipes but the escaped ones, and one more."""
    escaped, pipes = False, 0
    for character in line:
        pipes += character == "|" and not escaped
        escaped = character == "\\" and not escaped
    return pipes + 1
