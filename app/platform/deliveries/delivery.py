"""Deliveries: messages to other services, their kinds, states and senders."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol

from opentelemetry.context import Context

from app.platform.observability.tracing import TRACEPARENT, TRACESTATE, trace_in


class DeliveryKind(str):
    """What deliveries are about; a label of the metrics. Each kind has a dispatcher of its own."""

    __slots__ = ()


class DeliveryStatus(StrEnum):
    """State of a delivery."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """What is to be delivered: a body, and the subject that it is about.

    `subject` is the name that operators know, `subject_id` identifies it within the kind. At most
    one delivery of a revision of a subject is pending; without a revision there may be several.
    The deliveries of an `ordered` message's subject are sent one at a time, the oldest first.
    """

    kind: DeliveryKind
    subject_id: str
    subject: str
    body: bytes
    revision: int | None = None
    ordered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery(Message):
    """A row of the outbox; `id` is the webhook-id of every attempt.

    `attempts` counts attempts since the delivery was created or last replayed. `next_attempt_at`
    is None if no further attempt is planned. Until `leased_until`, only the process that holds
    the lease may send the delivery.
    """

    id: str
    status: DeliveryStatus
    attempts: int
    created_at: datetime
    next_attempt_at: datetime | None
    leased_until: datetime | None
    response_status: int | None
    error: str | None
    traceparent: str | None = None
    """The trace of the request that caused it, in the form of the header, with `tracestate`."""
    tracestate: str | None = None

    @property
    def trace(self) -> Context:
        """The trace of the request that caused it, if there was one."""
        return trace_in({TRACEPARENT: self.traceparent or "", TRACESTATE: self.tracestate or ""})

    @property
    def due_at(self) -> datetime | None:
        """When it may next be sent: at `next_attempt_at`, or at the end of a later lease."""
        if self.next_attempt_at is None or self.leased_until is None:
            return self.next_attempt_at
        return max(self.next_attempt_at, self.leased_until)

    @property
    def name(self) -> str:
        """Its id, kind and subject, as log lines name it."""
        return f"{self.id} ({self.kind} {self.subject})"


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
    """Status of the response, or why there was none; after a `final` one nothing is tried."""

    response_status: int | None = None
    error: str | None = None
    retry_after: timedelta | None = None
    final: bool = False

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


class Sender(Protocol):
    """Sends deliveries to wherever their kind goes."""

    async def send(self, delivery: Delivery, at: datetime) -> AttemptResult:
        """Send once. Errors of the network become results, not exceptions."""
        ...

    async def aclose(self) -> None:
        """Release the connections."""
        ...
