"""A finding: what is well or wrong, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """How serious a finding is."""

    OK = "ok"
    WARNING = "warning"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence on what was found, and another with the remedy if it is not well."""

    level: Level
    message: str
    remedy: str = ""


def ok(message: str) -> Finding:
    """Return a finding that needs no remedy."""
    return Finding(Level.OK, message)


def warning(message: str, remedy: str) -> Finding:
    """Return a finding that deserves a look."""
    return Finding(Level.WARNING, message, remedy)


def fault(message: str, remedy: str) -> Finding:
    """Return a finding with which the service does not work as it is set up."""
    return Finding(Level.FAULT, message, remedy)
