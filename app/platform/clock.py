"""Clocks of the service, and a parser for RFC 3339 date-times."""

import re
from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]

Ticks = Callable[[], float]
"""A monotonic clock in seconds, such as `time.monotonic`."""


def utc_now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


_INSTANT = re.compile(
    r"(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)", re.ASCII
)


def parse_instant(text: str) -> datetime | None:
    """Parse an RFC 3339 date-time and return it in UTC; None if the text is not one.

    >>> parse_instant("2026-05-01T09:30:00+04:00").isoformat()
    '2026-05-01T05:30:00+00:00'
    >>> parse_instant("2026-05-01"), parse_instant("2026-05-01T09:30:00")
    (None, None)
    """
    match = _INSTANT.fullmatch(text)
    if not match:
        return None
    day, time, fraction, offset = match.groups(default="")
    offset = "+00:00" if offset in "Zz" else offset
    try:
        return datetime.fromisoformat(f"{day}T{time}{fraction[:7]}{offset}").astimezone(UTC)
    except (ValueError, OverflowError):
        return None
