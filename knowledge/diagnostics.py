"""Faults: what is wrong with content, where, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum


class Severity(IntEnum):
    """How much a fault matters."""

    NOTICE = 0  # worth knowing: nothing to mend
    WARNING = 1  # served, but an author should mend it
    ERROR = 2  # the file is left out, or its last good version is served

    @property
    def label(self) -> str:
        """Lower-case word for people."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding: `path` is relative to the content folder, `line` counts from 1."""

    path: str
    message: str
    suggestion: str
    line: int = 1
    severity: Severity = Severity.ERROR

    @property
    def location(self) -> str:
        """`path:line`, as editors and terminals link it."""
        return f"{self.path}:{self.line}"

    def __str__(self) -> str:
        return f"{self.location}: {self.message} {self.suggestion}"

    def as_warning(self) -> Diagnostic:
        """The same finding where the file can be served all the same."""
        return replace(self, severity=Severity.WARNING)


class ContentFileError(Exception):
    """A file cannot become a document; carries the faults that say why."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__("; ".join(str(diagnostic) for diagnostic in diagnostics))
        self.diagnostics = diagnostics
