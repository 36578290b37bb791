"""A report: a table of what is stored, for the command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Row = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """A table: names of columns, and rows with the most important first."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Row]
