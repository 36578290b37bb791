"""Outcomes: what may come of a lead that is sent, counted whatever way it came."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from itertools import product

from werkzeug.exceptions import HTTPException

from app.database.errors import StoreUnavailable
from app.leads.store import KeyInFlight, KeyReused
from app.observability.metrics import LEADS, Metrics
from knowledge.errors import MajlisError


class Channel(StrEnum):
    """How leads come in."""

    API = "api"
    FORM = "form"


class LeadOutcome(StrEnum):
    """What came of one."""

    STORED = "stored"
    QUARANTINED = "quarantined"
    REPEATED = "repeated"
    CONFLICT = "conflict"
    REFUSED = "refused"
    FAILED = "failed"


def init_metrics(metrics: Metrics) -> None:
    """Tell every count from the start: in what begins with 1 Prometheus sees no growth."""
    for channel, outcome in product(Channel, LeadOutcome):
        metrics.count(LEADS, channel, outcome, by=0)


@contextmanager
def count_outcome(metrics: Metrics, channel: Channel) -> Iterator[Callable[[LeadOutcome], None]]:
    """Count one lead: as what the block tells, else by the error that ends the block."""

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
    if refused and not isinstance(error, StoreUnavailable):
        return LeadOutcome.REFUSED
    return LeadOutcome.FAILED
