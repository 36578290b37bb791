"""The webhook of leads: signed events, or the bodies that a mapping writes for a CRM."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from app.features.leads.lead import StoredLead
from app.features.leads.lead_mapping import LeadMapping
from app.features.leads.notices import LeadNotice, notice_of
from app.features.leads.notifications.event import lead_event, quarantine_event, told_fields
from app.features.leads.notifications.quarantined import read_quarantined
from app.features.leads.store import LeadStore
from app.platform.deliveries.delivery import AttemptResult, Delivery
from app.platform.deliveries.webhook import WebhookSender

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
            body = self._lead_body(stored) if stored else GONE
        else:
            listed = await read_quarantined(self._store, notice.since, notice.until)
            body = quarantine_event(listed) if listed.count else NONE_LEFT
        if isinstance(body, AttemptResult):
            return body
        return await self._webhook.send(replace(delivery, body=body), at)

    def _lead_body(self, stored: StoredLead) -> bytes:
        return self._mapping.body_of(told_fields(stored)) if self._mapping else lead_event(stored)
