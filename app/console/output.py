"""Output of commands: tables as plain text, and cells of CSV files."""

import re
import sys
from collections.abc import Sequence

import click

from app.platform.printable import printable

_GAP = "  "


def print_table(heading: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table with aligned columns.

    >>> print_table(("ID", "NUMBER"), [(1, "WH-1"), (10, "WH-2")])
    ID  NUMBER
    1   WH-1
    10  WH-2
    """
    table = [heading, *([printable(str(cell)) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        click.echo(_GAP.join(cells).rstrip())


_SEPARATORS = frozenset(";,\t\r\n")
"""Characters at which a spreadsheet may split a cell, depending on its locale or settings."""
_SIGN = re.compile(r"""(?<![\s";,])([\s";,]*+)([=+\-@＝＋－＠])""")
"""Separators, blanks and quotes, followed by a character that starts a formula in a spreadsheet
(full-width forms included). The possessive quantifier keeps matching linear in the text."""
BYTE_ORDER_MARK = "\ufeff"
"""Marks a file as UTF-8 for spreadsheets; without it Excel garbles Arabic."""


def print_file(text: str) -> None:
    """Print what belongs into a file, such as CSV: as it is, but printable on a terminal."""
    if sys.stdout.isatty():
        lines = text.removeprefix(BYTE_ORDER_MARK).splitlines()
        text = "".join(f"{printable(line)}\n" for line in lines)
    click.echo(text, nl=False)


def escaped(value: object) -> str:
    r"""Return the text of a cell, with an apostrophe before every possible formula.

    Spreadsheets treat a cell that starts with an apostrophe as text. Formulas inside a cell are
    escaped too if they follow a character at which the cell may be split.

    >>> escaped("=1+1"), escaped("+971 50"), escaped(True), escaped("Noor")
    ("'=1+1", "'+971 50", 'true', 'Noor')
    >>> escaped("Hello;=1+1"), escaped('a, "=1+1"'), escaped("a = b - c; d")
    ("Hello;'=1+1", 'a, "\'=1+1"', 'a = b - c; d')
    """
    text = str(value).lower() if isinstance(value, bool) else str(value)
    escaped = _SIGN.sub(_with_apostrophe, text)
    return f"'{escaped}" if escaped.startswith(("\t", "\r", "\n")) else escaped


def _with_apostrophe(match: re.Match[str]) -> str:
    before, sign = match.groups()
    starts_cell = match.start() == 0 or not _SEPARATORS.isdisjoint(before)
    return f"{before}'{sign}" if starts_cell else match[0]
