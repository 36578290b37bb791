"""The ledger: what was asked, answered, acknowledged and broken, noted by many threads at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from threading import Lock
from time import monotonic

_MOST_TOLD = 20


@dataclass(slots=True)
class Outage:
    """A time in which something was away; `until` moves while it still is."""

    what: str
    since: float
    until: float = float("inf")

    def overlaps(self, began: float, ended: float) -> bool:
        """Whether a request was under way in it."""
        return began <= self.until and ended >= self.since


@dataclass(slots=True)
class Ledger:
    """Counts of a run, and every law that was broken in it."""

    answers: Counter[tuple[str, int]] = field(default_factory=Counter)
    """Whole answers by kind of request and status."""
    drops: Counter[str] = field(default_factory=Counter)
    """Requests without a whole answer that HTTP or a kill explains, by explanation."""
    faults: Counter[str] = field(default_factory=Counter)
    """What was broken on purpose."""
    leads: dict[str, set[str]] = field(default_factory=dict)
    """Of each acknowledged lead, by its address, the ids that were told; a form tells none."""
    sent_leads: set[str] = field(default_factory=set)
    pushes: dict[str, int] = field(default_factory=dict)
    """Order by acknowledged delivery."""
    edit_seconds: list[float] = field(default_factory=list)
    _broken: Counter[str] = field(default_factory=Counter)
    _rate_headers: list[str] = field(default_factory=list)
    _outages: list[Outage] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    def answered(self, kind: str, status: int) -> None:
        """A whole answer came."""
        with self._lock:
            self.answers[kind, status] += 1

    def dropped(self, explanation: str) -> None:
        """No whole answer came, for a reason that is none of the server's faults."""
        with self._lock:
            self.drops[explanation] += 1

    def broke(self, law: str, told: str) -> None:
        """A law does not hold; of each only some cases are told in full."""
        with self._lock:
            self._broken[law] += 1
            if self._broken[law] <= _MOST_TOLD:
                self._rate_headers.append(f"{law}: {told} ({datetime.now(UTC):%H:%M:%S.%f})")

    def acknowledged_lead(self, email: str, lead_id: str | None) -> None:
        """A lead was taken."""
        with self._lock:
            self.leads.setdefault(email, set()).update([lead_id] if lead_id else [])

    def acknowledged_push(self, delivery_id: str, order_id: int) -> None:
        """A push was taken."""
        with self._lock:
            self.pushes[delivery_id] = order_id

    def edited(self, seconds: float) -> None:
        """An edit became visible."""
        with self._lock:
            self.edit_seconds.append(seconds)

    @contextmanager
    def away(self, what: str) -> Iterator[None]:
        """Something is away as long as the block runs."""
        outage = Outage(what, monotonic())
        with self._lock:
            self.faults[what] += 1
            self._outages.append(outage)
        try:
            yield
        finally:
            outage.until = monotonic()

    def killed(self, what: str) -> None:
        """Something ended at this instant."""
        now = monotonic()
        with self._lock:
            self.faults[what] += 1
            self._outages.append(Outage(what, now, now))

    def was_away(self, what: str, began: float, ended: float) -> bool:
        """Whether something was away for some of that time."""
        with self._lock:
            return any(each.what == what and each.overlaps(began, ended) for each in self._outages)

    def count(self, kind: str, *statuses: int) -> int:
        """How many answers of a kind came so far, of these statuses where some are given."""
        with self._lock:
            return sum(
                number
                for (each, status), number in self.answers.items()
                if each == kind and (not statuses or status in statuses)
            )

    @property
    def total(self) -> int:
        """How many answers came so far."""
        with self._lock:
            return sum(self.answers.values())

    @property
    def violations(self) -> list[str]:
        """Every law that is broken: how often, and the first cases."""
        with self._lock:
            return [
                f"{law}: {number} times" for law, number in self._broken.items()
            ] + self._rate_headers
