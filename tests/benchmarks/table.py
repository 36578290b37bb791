"""The table that a run prints: what was measured, and its ratio to the bare thing."""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True)
class Row:
    """One figure; `ratio` is to the first row of the same subject in the same run."""

    subject: str
    what: str
    figure: float
    unit: str
    ratio: float


def show(rows: list[Row]) -> None:
    """Print all rows."""
    table = Table(title="Ratios in one run; the figures themselves are this machine's")
    for heading in ("subject", "what", "figure", "ratio"):
        table.add_column(heading, justify="right" if heading in ("figure", "ratio") else "left")
    for row in rows:
        table.add_row(row.subject, row.what, f"{row.figure:,.0f} {row.unit}", f"{row.ratio:.2f}")
    Console().print(table)
