"""Diagnostics: what is wrong with content, where, and how to correct it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import IntEnum

from knowledge.diagnostics.kinds import DiagnosticKind


class Severity(IntEnum):
    """The severity of a diagnostic."""

    NOTICE = 0  # information; no correction needed
    WARNING = 1  # the file is served, but an author should correct it
    ERROR = 2  # the file is left out, or its last good version is served

    @property
    def label(self) -> str:
        """Return the name in lower case."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem; `path` is relative to the content folder, line and column count from 1."""

    path: str
    message: str
    suggestion: str
    line: int = 1
    severity: Severity = Severity.ERROR
    kind: DiagnosticKind = field(kw_only=True)
    column: int | None = field(default=None, kw_only=True)

    @property
    def location(self) -> str:
        """Return `path:line`, the format that editors and terminals link."""
        return f"{self.path}:{self.line}"

    def __str__(self) -> str:
        return f"{self.location}: {self.message} {self.suggestion}"

    def as_warning(self) -> Diagnostic:
        """Return the same diagnostic as a warning, if the file can still be served."""
        return replace(self, severity=Severity.WARNING)


class ContentFileError(Exception):
    """A content file cannot be served; `diagnostics` give the reasons."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__("; ".join(str(diagnostic) for diagnostic in diagnostics))
        self.diagnostics = diagnostics
