"""The retry policy: when to try again, and when to give up."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

DELAYS = (
    timedelta(seconds=5),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=5),
    timedelta(hours=10),
    timedelta(hours=14),
    timedelta(hours=20),
    timedelta(hours=24),
)
"""Delay after the first attempt, after the second, and so on."""

JITTER = 0.1
"""Fraction by which a delay may vary, so that many deliveries do not retry at once."""
LONGEST = timedelta(hours=24)
"""Upper limit for the delay that a receiver may request."""


def delay_after(
    attempts: int,
    chance: float,
    retry_after: timedelta | None = None,
    delays: Sequence[timedelta] = DELAYS,
) -> timedelta | None:
    """Return the delay before the next attempt, or None if no further attempt is due.

    `chance` is a random number from 0 to 1; `retry_after` is the delay the receiver requested.

    >>> delay_after(1, chance=0.5)
    datetime.timedelta(seconds=5)
    """
    if attempts > len(delays):
        return None
    delay = delays[attempts - 1] * (1 + JITTER * (2 * chance - 1))
    return max(delay, min(retry_after or delay, LONGEST))
