"""The delivery of an order to the webhook, its lease, and the results of its attempts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum


class DeliveryStatus(StrEnum):
    """State of a delivery."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Delivery:
    """A row of the outbox; `id` is the webhook-id of every attempt.

    `attempts` counts attempts since the delivery was created or last replayed. `next_attempt_at`
    is None if no further attempt is planned. Until `leased_until`, only the process that holds
    the lease may send the delivery.
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
        """When it may next be sent: at `next_attempt_at`, or at the end of a later lease."""
        if self.next_attempt_at is None or self.leased_until is None:
            return self.next_attempt_at
        return max(self.next_attempt_at, self.leased_until)


@dataclass(frozen=True, slots=True)
class Lease:
    """The exclusive right to send a delivery for a limited time; `token` identifies the lease."""

    delivery: Delivery
    token: str


class AttemptOutcome(StrEnum):
    """How an attempt ended; a label of the metrics."""

    DELIVERED = "delivered"
    REFUSED = "refused"
    UNANSWERED = "unanswered"


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """Result of one attempt: the response status, or the error if there was no response."""

    response_status: int | None = None
    error: str | None = None
    retry_after: timedelta | None = None

    @property
    def delivered(self) -> bool:
        """Whether the receiver accepted it, that is, answered with a 2xx status."""
        return self.response_status is not None and 200 <= self.response_status < 300

    @property
    def outcome(self) -> AttemptOutcome:
        """The result as delivered, refused or unanswered."""
        if self.response_status is None:
            return AttemptOutcome.UNANSWERED
        return AttemptOutcome.DELIVERED if self.delivered else AttemptOutcome.REFUSED


@dataclass(frozen=True, slots=True)
class Attempt:
    """One recorded attempt."""

    started_at: datetime
    finished_at: datetime
    response_status: int | None
    error: str | None
