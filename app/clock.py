"""The clock: where the service takes the time from."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]

Ticks = Callable[[], float]
"""Seconds that only ever go forward, such as `time.monotonic`."""


def utc_now() -> datetime:
    """The clock of a running service."""
    return datetime.now(UTC)


_INSTANT = re.compile(
    r"(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)", re.ASCII
)


def parse_instant(text: str) -> datetime | None:
    """The instant in UTC, or None where the text is none.

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
