"""Notices: what the outbox keeps for those who are told of leads.

A notice names leads by ID or by time, and the message is written when it is sent. So personal data
is in the table of leads only: what is erased there is told to nobody any more.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncConnection

from app.platform.deliveries.delivery import Delivery, DeliveryKind, Message
from app.platform.deliveries.outbox import Outbox
from app.platform.observability.tracing import TraceHeaders

LEAD = DeliveryKind("lead")

MAIL = DeliveryKind("mail")


class LeadNotice(BaseModel):
    """A lead that was received, or released from quarantine."""

    model_config = ConfigDict(frozen=True)

    type: Literal["lead.created"] = "lead.created"
    receiver: str
    lead: str


class QuarantineNotice(BaseModel):
    """The leads that were quarantined from `since` (inclusive) to `until` (exclusive)."""

    model_config = ConfigDict(frozen=True)

    type: Literal["leads.quarantined"] = "leads.quarantined"
    receiver: str
    since: datetime
    until: datetime


Notice = Annotated[LeadNotice | QuarantineNotice, Field(discriminator="type")]
_NOTICE: TypeAdapter[LeadNotice | QuarantineNotice] = TypeAdapter(Notice)


def notice_of(delivery: Delivery) -> LeadNotice | QuarantineNotice:
    """Return the notice that a delivery carries."""
    return _NOTICE.validate_json(delivery.body)


@dataclass(frozen=True, slots=True)
class Receiver:
    """Somebody who is told of leads: the kind of its deliveries, and an ID among those."""

    kind: DeliveryKind
    id: str
    gets_digests: bool = True
    """Whether it is told once a day what is in quarantine."""

    def lead(self, lead_id: str) -> Message:
        """Return the message about a lead."""
        return self._message(LeadNotice(receiver=self.id, lead=lead_id), lead_id)

    def digest(self, since: datetime, until: datetime) -> Message:
        """Return the message about what was quarantined within a time."""
        notice = QuarantineNotice(receiver=self.id, since=since, until=until)
        return self._message(notice, f"quarantine {until:%Y-%m-%d}")

    def _message(self, notice: LeadNotice | QuarantineNotice, subject: str) -> Message:
        """Return a message; while it is pending, a second one of the same subject joins it."""
        return Message(
            kind=self.kind,
            subject_id=f"{subject}/{self.id}",
            subject=subject,
            revision=1,
            body=notice.model_dump_json().encode(),
        )


class LeadNotifier:
    """Puts notices for all receivers into the outbox, in the transaction of the caller."""

    def __init__(self, outbox: Outbox, receivers: Collection[Receiver]) -> None:
        self._outbox = outbox
        self._receivers = receivers

    def tell(self, connection: Connection, traces: Mapping[str, TraceHeaders]) -> None:
        """Tell everybody of leads; `traces` has that of each lead's request by the lead's ID."""
        messages = [
            (receiver.lead(lead_id), trace)
            for lead_id, trace in traces.items()
            for receiver in self._receivers
        ]
        self._outbox.add_all(connection, messages)

    async def tell_of_quarantine(
        self, connection: AsyncConnection, since: datetime, until: datetime
    ) -> None:
        """Tell those who get digests of what was quarantined within a time."""
        for receiver in self._receivers:
            if receiver.gets_digests:
                await self._outbox.add(connection, receiver.digest(since, until))
