"""The ledger: requests, responses, acknowledgements and violations, from many threads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from threading import Lock
from time import monotonic

_MAX_CASES = 20


@dataclass(slots=True)
class Outage:
    """A period in which something was down; `until` is infinite while it lasts."""

    what: str
    since: float
    until: float = float("inf")

    def overlaps(self, began: float, ended: float) -> bool:
        """Return whether a request was in progress during it."""
        return began <= self.until and ended >= self.since


@dataclass(slots=True)
class Ledger:
    """Counts of a run, and the violations in it."""

    answers: Counter[tuple[str, int]] = field(default_factory=Counter)
    """Complete responses by kind of request and status."""
    drops: Counter[str] = field(default_factory=Counter)
    """Requests without a complete response for an allowed reason, by reason."""
    faults: Counter[str] = field(default_factory=Counter)
    """Injected faults."""
    leads: dict[str, set[str]] = field(default_factory=dict)
    """Ids in the responses for each acknowledged lead, by e-mail; forms return no id."""
    sent_leads: set[str] = field(default_factory=set)
    pushes: dict[str, int] = field(default_factory=dict)
    """Order by acknowledged delivery."""
    edit_seconds: list[float] = field(default_factory=list)
    _broken: Counter[str] = field(default_factory=Counter)
    _cases: list[str] = field(default_factory=list)
    _outages: list[Outage] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    def answered(self, kind: str, status: int) -> None:
        """Record a complete response."""
        with self._lock:
            self.answers[kind, status] += 1

    def dropped(self, explanation: str) -> None:
        """Record a missing response, with an allowed reason."""
        with self._lock:
            self.drops[explanation] += 1

    def broke(self, guarantee: str, case: str) -> None:
        """Record a violation; only the first cases of each are kept in full."""
        with self._lock:
            self._broken[guarantee] += 1
            if self._broken[guarantee] <= _MAX_CASES:
                self._cases.append(f"{guarantee}: {case} ({datetime.now(UTC):%H:%M:%S.%f})")

    def acknowledged_lead(self, email: str, lead_id: str | None) -> None:
        """Record an acknowledged lead."""
        with self._lock:
            self.leads.setdefault(email, set()).update([lead_id] if lead_id else [])

    def acknowledged_push(self, delivery_id: str, order_id: int) -> None:
        """Record an acknowledged push."""
        with self._lock:
            self.pushes[delivery_id] = order_id

    def edited(self, seconds: float) -> None:
        """Record the time until an edit became visible."""
        with self._lock:
            self.edit_seconds.append(seconds)

    @contextmanager
    def away(self, what: str) -> Iterator[None]:
        """Record that something is down while the block runs."""
        outage = Outage(what, monotonic())
        with self._lock:
            self.faults[what] += 1
            self._outages.append(outage)
        try:
            yield
        finally:
            outage.until = monotonic()

    def killed(self, what: str) -> None:
        """Record that something was killed now."""
        now = monotonic()
        with self._lock:
            self.faults[what] += 1
            self._outages.append(Outage(what, now, now))

    def was_away(self, what: str, began: float, ended: float) -> bool:
        """Return whether something was down at any time in the period."""
        with self._lock:
            return any(each.what == what and each.overlaps(began, ended) for each in self._outages)

    def count(self, kind: str, *statuses: int) -> int:
        """Return the number of responses of a kind, with these statuses if given."""
        with self._lock:
            return sum(
                number
                for (each, status), number in self.answers.items()
                if each == kind and (not statuses or status in statuses)
            )

    @property
    def total(self) -> int:
        """Return the number of responses so far."""
        with self._lock:
            return sum(self.answers.values())

    @property
    def violations(self) -> list[str]:
        """Return each violated guarantee with its count, and the first cases."""
        with self._lock:
            return [
                f"{guarantee}: {number} times" for guarantee, number in self._broken.items()
            ] + self._cases
