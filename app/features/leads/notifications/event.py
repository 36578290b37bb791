"""The events of leads, as webhooks get them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from app.features.leads.export import fields_of
from app.features.leads.lead import StoredLead
from app.features.leads.notifications.quarantined import Quarantined
from knowledge.resources.base import Resource


class LeadData(Resource):
    """The payload: the fields of a lead that have a value, named as in the API."""

    lead: Mapping[str, Any]


class LeadCreated(Resource):
    """The event of a lead; `timestamp` is when it was received."""

    type: Literal["lead.created"] = "lead.created"
    timestamp: datetime
    data: LeadData


class QuarantineData(Resource):
    """The payload: how many leads were quarantined within a time, and the first of them."""

    since: datetime
    until: datetime
    count: int = Field(ge=0)
    leads: Sequence[Mapping[str, Any]]


class LeadsQuarantined(Resource):
    """The event of the leads in quarantine; `timestamp` is the end of the time."""

    type: Literal["leads.quarantined"] = "leads.quarantined"
    timestamp: datetime
    data: QuarantineData


def told_fields(stored: StoredLead) -> Mapping[str, Any]:
    """Return what receivers are told of a lead that is not in quarantine."""
    return {name: value for name, value in fields_of(stored).items() if name != "quarantined"}


def lead_event(stored: StoredLead) -> bytes:
    """Return the body for a lead; the same lead has the same body in each attempt."""
    event = LeadCreated(timestamp=stored.received_at, data=LeadData(lead=told_fields(stored)))
    return event.model_dump_json().encode()


def quarantine_event(listed: Quarantined) -> bytes:
    """Return the body for leads in quarantine."""
    leads = [told_fields(stored) for stored in listed.first]
    data = QuarantineData(since=listed.since, until=listed.until, count=listed.count, leads=leads)
    return LeadsQuarantined(timestamp=listed.until, data=data).model_dump_json().encode()
