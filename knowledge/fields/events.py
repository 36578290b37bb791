"""Events: when a document of a kind with a calendar takes place.

A date without a time is midnight UTC, and means the whole day.
"""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import NamedTuple

_MIDNIGHT = time()
_DAY = timedelta(days=1)


def is_day(moment: datetime) -> bool:
    """Return whether a date has no time, and is a whole day."""
    return moment.timetz().replace(tzinfo=None) == _MIDNIGHT


def end_of(moment: datetime) -> datetime:
    """Return the instant from which a date is past: a whole day is past after it."""
    return moment + _DAY if is_day(moment) else moment


class Span(NamedTuple):
    """The time of an event; without an end it is over once it begins, or after its whole day."""

    starts_at: datetime
    ends_at: datetime | None = None

    @property
    def over_at(self) -> datetime:
        """The instant from which the event is past."""
        return max(end_of(self.starts_at), end_of(self.ends_at or self.starts_at))
