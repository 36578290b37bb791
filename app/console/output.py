"""Output of commands: tables, reports, cells of CSV files, and progress bars."""

import csv
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from io import StringIO

import click
from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from app.console import Command, period, with_options
from app.platform.printable import printable, printable_json

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


Row = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """A table: names of columns, and rows with the most important first."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Row]


Reports = Mapping[str, Report]

_FILE_WIDTH = 200
"""Characters in a line, if the output is not a terminal."""
_TEXTS = frozenset({"page", "path", "from", "query", "source", "campaign"})
"""The columns whose cells may continue in a line below."""


def _print_tables(reports: Reports, since: date) -> None:
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = _FILE_WIDTH
    console.print(f"Since {since} (UTC)")
    for report in reports.values():
        console.print()
        console.print(_table(report) if report.rows else f"{report.title}: none")


def _table(report: Report) -> Table:
    """Return a table whose numbers are aligned at the right."""
    table = Table(
        title=report.title,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    for name, cell in zip(report.columns, report.rows[0], strict=True):
        table.add_column(
            name,
            justify="right" if isinstance(cell, int) else "left",
            overflow="fold",
            no_wrap=name not in _TEXTS,
        )
    for row in report.rows:
        table.add_row(*(Text(printable(str(cell)) or "–") for cell in row))
    return table


def _print_json(reports: Reports, since: date) -> None:
    body = {
        name: [dict(zip(report.columns, row, strict=True)) for row in report.rows]
        for name, report in reports.items()
    }
    click.echo(printable_json({"since": since, **body}, indent=2))


def _print_csv(reports: Reports, since: date) -> None:
    """Print all reports as one table, with the columns of all of them."""
    columns = dict.fromkeys(name for report in reports.values() for name in report.columns)
    lines = StringIO()
    lines.write(BYTE_ORDER_MARK)
    writer = csv.DictWriter(lines, ["report", *columns])
    writer.writeheader()
    for name, report in reports.items():
        for row in report.rows:
            cells = zip(report.columns, map(escaped, row), strict=True)
            writer.writerow({"report": name, **dict(cells)})
    print_file(lines.getvalue())


FORMATS: Mapping[str, Callable[[Reports, date], None]] = {
    "table": _print_tables,
    "json": _print_json,
    "csv": _print_csv,
}


def report_options(reports: Iterable[str], limited: str) -> Callable[[Command], Command]:
    """Return a decorator that adds the options of a command that prints these reports.

    `limited` says what the maximum of rows is about.
    """
    return with_options(
        click.option(
            "--since",
            "age",
            type=period,
            default="30d",
            metavar="PERIOD",
            help="How far back, for example 30d or 12w.",
        ),
        click.option(
            "--format",
            "format_name",
            type=click.Choice(tuple(FORMATS)),
            default="table",
            help="Tables for readers, JSON, or one CSV table for spreadsheets.",
        ),
        click.option(
            "--report",
            "names",
            type=click.Choice(tuple(reports)),
            multiple=True,
            help="Only this report; may be repeated.",
        ),
        click.option(
            "--limit",
            type=click.IntRange(1),
            default=10,
            help=f"Maximum rows of a report{limited}.",
        ),
    )


def progress_bar() -> Progress:
    """Create a progress bar on standard error, disabled unless that is a terminal."""
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    return Progress(console=console, transient=True, disable=not console.is_terminal)
