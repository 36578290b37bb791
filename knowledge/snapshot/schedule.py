"""The schedule: when documents are published and withdrawn."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from operator import itemgetter
from typing import NamedTuple

from knowledge.documents.document import Document

_LONG_AGO = datetime.min.replace(tzinfo=UTC)


class Due(NamedTuple):
    """A document, by the path of its file, that is published or withdrawn at an instant."""

    at: datetime
    path: str


_AT, _PATH = itemgetter(0), itemgetter(1)


@dataclass(frozen=True, slots=True)
class Schedule:
    """What is published or withdrawn, and when; sorted."""

    dues: Sequence[Due] = ()

    def next_after(self, now: datetime) -> datetime | None:
        """Return the next instant of the schedule, or None."""
        position = bisect_right(self.dues, now, key=_AT)
        return self.dues[position].at if position < len(self.dues) else None

    def last_up_to(self, now: datetime) -> datetime:
        """Return the last instant of the schedule up to `now`; without one, one long ago."""
        position = bisect_right(self.dues, now, key=_AT)
        return self.dues[position - 1].at if position else _LONG_AGO

    def between(self, since: datetime, now: datetime) -> Sequence[Due]:
        """Return what is due after `since`, up to `now`."""
        first = bisect_right(self.dues, since, key=_AT)
        return self.dues[first : bisect_right(self.dues, now, key=_AT)]


def schedule_of(documents: Mapping[str, Document]) -> Schedule:
    """Return the schedule of documents by path."""
    dues = [due for path, document in documents.items() for due in _dues(path, document)]
    return Schedule(sorted(sorted(dues, key=_PATH), key=_AT))  # sorts tuples in half the time


def _dues(path: str, document: Document) -> Iterator[Due]:
    published_at, unpublish_at = document.fields.published_at, document.fields.unpublish_at
    if published_at is not None:
        yield Due(published_at, path)
    if unpublish_at is not None and unpublish_at != published_at:
        yield Due(unpublish_at, path)
