"""The clock of this machine, compared with the database server's and the public address's."""

from __future__ import annotations

from collections.abc import Iterator
from email.utils import parsedate_to_datetime

from app.operations.doctor.facts import Answer, Facts
from app.operations.doctor.finding import Finding, fault, ok, warning

WRONG_SECONDS = 5.0
VERY_WRONG_SECONDS = 60.0
_REMEDY = "Let both machines set their clocks by NTP: `timedatectl set-ntp true`."


def judge(facts: Facts) -> Iterator[Finding]:
    """Judge the difference to each clock that can be asked."""
    if facts.database is not None and facts.database.ahead_seconds is not None:
        yield _difference(facts.database.ahead_seconds, "the database server's")
    if facts.public is not None:
        ahead = _ahead(facts.public.health)
        if ahead is not None:
            yield _difference(ahead, "the one of the public address")


def _ahead(answer: Answer) -> float | None:
    """Return how much Date is ahead; one that a cache kept tells nothing."""
    date = answer.headers.get("date")
    if date is None or answer.received_at is None or "age" in answer.headers:
        return None
    try:
        told = parsedate_to_datetime(date)
    except ValueError:
        return None
    return (told - answer.received_at).total_seconds() if told.tzinfo else None


def _difference(ahead: float, whose: str) -> Finding:
    seconds = abs(ahead)
    if seconds <= WRONG_SECONDS:
        return ok(f"The clock agrees with {whose}.")
    message = f"The clock is {seconds:.0f} seconds {'behind' if ahead > 0 else 'ahead of'} {whose}."
    return (fault if seconds > VERY_WRONG_SECONDS else warning)(message, _REMEDY)
