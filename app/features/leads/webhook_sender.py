"""Senders of notifications of leads to webhooks: signed events, or bodies for a CRM."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from app.features.leads.exports import fields_of
from app.features.leads.lead_mapping import LeadMapping
from app.features.leads.mail_texts import Quarantined, read_quarantined
from app.features.leads.model import StoredLead
from app.features.leads.notices import LeadNotice, notice_of
from app.features.leads.store import LeadStore
from app.platform.deliveries.delivery import AttemptResult, Delivery
from app.platform.deliveries.http_client import WebhookSender
from knowledge.resources.base import Resource

GONE = AttemptResult(error="the lead was deleted or anonymised", final=True)
"""The result of an attempt about a lead that nobody may be told of any more."""
NONE_LEFT = AttemptResult(error="no lead of that day is in quarantine any more", final=True)
"""The result of an attempt to send a digest after all its leads were reviewed."""


class LeadWebhookSender:
    """Reads what a notice is about, and posts it."""

    def __init__(
        self, store: LeadStore, url: str, secret: str = "", mapping: LeadMapping | None = None
    ) -> None:
        self._store = store
        self._mapping = mapping
        self._webhook = WebhookSender(url, secret, headers=mapping.headers if mapping else None)

    async def aclose(self) -> None:
        """Close the HTTP client."""
        await self._webhook.aclose()

    async def send(self, delivery: Delivery, at: datetime) -> AttemptResult:
        """Post once; raises StoreUnavailable, so that it is sent when its lease has expired."""
        notice = notice_of(delivery)
        if isinstance(notice, LeadNotice):
            stored = await self._store.get(notice.lead)
            if stored is None:
                return GONE
            mapping = self._mapping
            body = mapping.body_of(told_fields(stored)) if mapping else lead_event(stored)
        else:
            listed = await read_quarantined(self._store, notice.since, notice.until)
            if not listed.count:
                return NONE_LEFT
            body = quarantine_event(listed)
        return await self._webhook.send(replace(delivery, body=body), at)


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
