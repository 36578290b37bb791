"""Text tables with aligned columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_GAP = "  "


def columns(heading: Sequence[str], rows: Sequence[Sequence[object]]) -> Iterator[str]:
    r"""Yield the lines of a table.

    >>> list(columns(("ID", "NUMBER"), [(1, "WH-1"), (10, "WH-2")]))
    ['ID  NUMBER', '1   WH-1', '10  WH-2']
    """
    table = [heading, *([str(cell) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield _GAP.join(cells).rstrip()
