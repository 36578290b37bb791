"""Output of commands: tables as plain text, and progress bars on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click
from rich.console import Console
from rich.progress import Progress

from app.console.spreadsheet import BYTE_ORDER_MARK
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


def print_file(text: str) -> None:
    """Print what belongs into a file, such as CSV: as it is, but printable on a terminal."""
    if sys.stdout.isatty():
        lines = text.removeprefix(BYTE_ORDER_MARK).splitlines()
        text = "".join(f"{printable(line)}\n" for line in lines)
    click.echo(text, nl=False)


def progress_bar() -> Progress:
    """Create a progress bar on standard error, disabled unless that is a terminal."""
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    return Progress(console=console, transient=True, disable=not console.is_terminal)
