"""The schedule of attempts: when to try again, and when to give up."""

from __future__ import annotations

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
"""Waiting times after the first attempt, the second, and so on."""

JITTER = 0.1
"""By which part a delay is longer or shorter, so that many do not come at once."""
LONGEST = timedelta(hours=24)
"""A receiver cannot put off an attempt for longer."""


def delay_after(
    attempts: int, chance: float, retry_after: timedelta | None = None
) -> timedelta | None:
    """How long to wait before the next attempt after so many, None where there were enough.

    `chance` is a random number from 0 to 1; `retry_after` is what the receiver asked for.

    >>> delay_after(1, chance=0.5)
    datetime.timedelta(seconds=5)
    """
    if attempts > len(DELAYS):
        return None
    delay = DELAYS[attempts - 1] * (1 + JITTER * (2 * chance - 1))
    return max(delay, min(retry_after or delay, LONGEST))
