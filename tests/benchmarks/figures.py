"""Figures: results, their ratio to a baseline, and the bound of that ratio."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from benchmarks.machine import commit, described, today


@dataclass(frozen=True, slots=True)
class Figure:
    """One result; `ratio` is to its baseline, measured in the same run."""

    subject: str
    what: str
    figure: float
    unit: str
    ratio: float
    at_least: float | None = None
    at_most: float | None = None

    @property
    def bound(self) -> str:
        """Return the bound of the ratio as text; empty if there is none."""
        if self.at_least is not None:
            return f"≥ {self.at_least:g}"
        return f"≤ {self.at_most:g}" if self.at_most is not None else ""

    @property
    def holds(self) -> bool:
        """Return whether the ratio is within its bound."""
        above = self.at_least is None or self.ratio >= self.at_least
        return above and (self.at_most is None or self.ratio <= self.at_most)

    @property
    def written(self) -> str:
        """Return the result with its unit."""
        digits = 0 if self.figure >= 100 else 1 if self.figure >= 10 else 2
        return f"{self.figure:,.{digits}f} {self.unit}"


@dataclass(frozen=True, slots=True)
class Group:
    """Figures measured by one method, on a day (`taken`, in UTC), of a commit, on a machine."""

    title: str
    method: str
    figures: tuple[Figure, ...]
    taken: str
    commit: str
    machine: str

    @classmethod
    def measured(cls, title: str, method: str, figures: Iterable[Figure]) -> Group:
        """Measure now, on this machine."""
        return cls(title, method, tuple(figures), today(), commit(), described())
