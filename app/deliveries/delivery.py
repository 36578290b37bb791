"""Deliveries: one order's way to the webhook, and what became of each attempt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum


class DeliveryStatus(StrEnum):
    """Where a delivery stands."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Delivery:
    """A row of the outbox; `id` is the webhook-id of every attempt.

    `attempts` counts since it was opened or last replayed. `next_attempt_at` is None where none
    is to come. While `leased_until` is ahead, one process alone may send it.
    """

    id: str
    order_id: int
    order_number: str
    revision: int
    body: bytes
    status: DeliveryStatus
    attempts: int
    created_at: datetime
    next_attempt_at: datetime | None
    leased_until: datetime | None
    response_status: int | None
    error: str | None

    @property
    def due_at(self) -> datetime | None:
        """When it may next be sent: not before its time, nor while somebody is sending it."""
        if self.next_attempt_at is None or self.leased_until is None:
            return self.next_attempt_at
        return max(self.next_attempt_at, self.leased_until)


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to send a delivery, until its lease ends; `lease` tells it from later ones."""

    delivery: Delivery
    lease: str


class AttemptOutcome(StrEnum):
    """How an attempt ended."""

    DELIVERED = "delivered"
    REFUSED = "refused"
    UNANSWERED = "unanswered"


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """What came of one attempt: a status, or the reason why there was none."""

    response_status: int | None = None
    error: str | None = None
    retry_after: timedelta | None = None

    @property
    def delivered(self) -> bool:
        """Whether the receiver took it: 2xx and nothing else."""
        return self.response_status is not None and 200 <= self.response_status < 300

    @property
    def result(self) -> AttemptOutcome:
        """Whether it arrived, and where not, whether there was an answer."""
        if self.response_status is None:
            return AttemptOutcome.UNANSWERED
        return AttemptOutcome.DELIVERED if self.delivered else AttemptOutcome.REFUSED

    @property
    def gone(self) -> bool:
        """Whether the receiver wants no more of this."""
        return self.response_status == 410


@dataclass(frozen=True, slots=True)
class OutboxCounts:
    """How many deliveries there are of each status, and since when the most belated is due."""

    counts: Mapping[DeliveryStatus, int]
    due_since: datetime | None


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt as it is remembered."""

    started_at: datetime
    finished_at: datetime
    response_status: int | None
    error: str | None
