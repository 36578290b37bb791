"""Reports on the command line, as tables, as JSON or as one CSV table; and progress bars."""

import csv
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
from app.console.output import BYTE_ORDER_MARK, escaped, print_file
from app.platform.printable import printable, printable_json

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
