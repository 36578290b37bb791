"""Changes: what happened to one page in one locale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from knowledge.locales.locale import Country, Language


class ChangeType(StrEnum):
    """What happened to a page."""

    PUBLISHED = "published"
    CHANGED = "changed"
    MOVED = "moved"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Change:
    """A page became published, changed, moved to another path, or is gone, at an instant.

    `path` is the site path with its locale, and `kind` the kind of its document.
    """

    change: ChangeType
    path: str
    kind: str
    country: Country | None
    language: Language
    at: datetime
    moved_to: str | None = None


@dataclass(frozen=True, slots=True)
class RecordedChange:
    """A change with its number in the log; later changes have greater numbers."""

    number: int
    change: Change


@dataclass(frozen=True, slots=True)
class ChangePage:
    """Changes in the order of the log, the number from which to read on, and whether more follow.

    Without changes, `cursor` is the number after which they were sought.
    """

    items: Sequence[RecordedChange]
    cursor: int
    more: bool
