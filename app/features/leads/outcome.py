"""Outcomes of submitted leads, by channel, and the idempotency keys of repeated ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from enum import StrEnum
from itertools import product

from werkzeug.exceptions import HTTPException

from app.features.leads.model import Assessment, Reason
from app.platform.concurrency.executors import Overloaded
from app.platform.database.errors import StoreUnavailable
from app.platform.observability.metrics import LEADS, LEADS_SPAM, Metrics
from knowledge.resources.errors import MajlisError


class Channel(StrEnum):
    """How a lead was submitted."""

    API = "api"
    FORM = "form"


class LeadOutcome(StrEnum):
    """What happened to a submitted lead."""

    STORED = "stored"
    QUARANTINED = "quarantined"
    REPEATED = "repeated"
    CONFLICT = "conflict"
    REFUSED = "refused"
    FAILED = "failed"


_AGAINST = frozenset(each for each in Reason if not each.startswith("released"))
"""The reasons that speak against a lead."""


def init_metrics(metrics: Metrics) -> None:
    """Export every counter as 0: Prometheus sees no increase in a counter that starts at 1."""
    for channel, outcome in product(Channel, LeadOutcome):
        metrics.count(LEADS, channel, outcome, by=0)
    for reason in _AGAINST:
        metrics.count(LEADS_SPAM, reason, by=0)


def count_reasons(metrics: Metrics, outcome: LeadOutcome, assessment: Assessment) -> None:
    """Count each reason for which a lead went to quarantine."""
    if outcome is LeadOutcome.QUARANTINED:
        for reason in assessment.points.keys() & _AGAINST:
            metrics.count(LEADS_SPAM, reason)


@contextmanager
def count_outcome(metrics: Metrics, channel: Channel) -> Iterator[Callable[[LeadOutcome], None]]:
    """Count one lead: with the outcome that the block passes on, or by the error it raises."""

    def count(outcome: LeadOutcome) -> None:
        metrics.count(LEADS, channel, outcome)

    try:
        yield count
    except Exception as error:
        count(_outcome_of(error))
        raise


def _outcome_of(error: Exception) -> LeadOutcome:
    if isinstance(error, KeyInFlight | KeyReused):
        return LeadOutcome.CONFLICT
    refused = isinstance(error, MajlisError | HTTPException)
    if refused and not isinstance(error, StoreUnavailable | Overloaded):
        return LeadOutcome.REFUSED
    return LeadOutcome.FAILED


IDEMPOTENCY_TTL = timedelta(hours=24)
"""How long an Idempotency-Key is stored."""


class KeyInFlight(MajlisError):
    """A request with the same Idempotency-Key is in progress."""

    status = 409

    def __init__(self) -> None:
        super().__init__(
            "A request with this Idempotency-Key is in progress.",
            "Wait a second, then send the request again.",
        )


class KeyReused(MajlisError):
    """The Idempotency-Key was sent before with a different body."""

    status = 422

    def __init__(self) -> None:
        super().__init__(
            "This Idempotency-Key was already used with a different body.",
            "Use a new key for each body.",
        )
