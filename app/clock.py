"""The clock: where the service takes the time from."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]

Ticks = Callable[[], float]
"""Seconds that only ever go forward, such as `time.monotonic`."""


def utc_now() -> datetime:
    """The clock of a running service."""
    return datetime.now(UTC)
