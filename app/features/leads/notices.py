"""Notices: what the outbox keeps for those who are told of leads, and their daily digests.

A notice names leads by ID or by time, and the message is written when it is sent. So personal data
is in the table of leads only: what is erased there is told to nobody any more.
"""

import asyncio
import logging
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Annotated, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from sqlalchemy import Connection, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from app.features.leads.settings import LeadSettings
from app.features.leads.tables import leads, quarantine_digests
from app.platform.clock import Clock
from app.platform.concurrency.background import wait_or_stop
from app.platform.database import SchemaMismatch, StoreUnavailable
from app.platform.database.database import Database
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
class NoticeReceiver:
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


def recipient_id(address: str) -> str:
    """Return the ID of a recipient in the outbox, which keeps no addresses."""
    return sha256(address.casefold().encode()).hexdigest()[:16]


SENDER = NoticeReceiver(MAIL, "sender", gets_digests=False)
"""Who sent a lead, and gets a copy; no recipient has an ID of this form."""

MOST_COPIES = 3
"""A mailbox gets so many copies within a day, as anybody may write its address into a form."""


def _gets_copy(connection: Connection, mailbox: str | None, received_at: datetime) -> bool:
    if mailbox is None:
        return False
    query = select(func.count()).where(
        leads.c.copy_to == mailbox,
        ~leads.c.quarantined,
        leads.c.received_at.between(received_at - EVERY, received_at),
    )
    return connection.execute(query).scalar_one() <= MOST_COPIES


EVERY = timedelta(days=1)


class LeadNotifier:
    """Puts notices for all receivers into the outbox, in the transaction of the caller."""

    def __init__(
        self, outbox: Outbox, receivers: Collection[NoticeReceiver], *, has_mail: bool = False
    ) -> None:
        self._outbox = outbox
        self._receivers = receivers
        self._has_mail = has_mail

    def tell(self, connection: Connection, traces: Mapping[str, TraceHeaders]) -> None:
        """Tell everybody of leads; `traces` has that of each lead's request by the lead's ID."""
        named = select(leads.c.id, leads.c.notify, leads.c.copy_to, leads.c.received_at).where(
            leads.c.id.in_(traces), or_(leads.c.notify.is_not(None), leads.c.copy_to.is_not(None))
        )
        rows = connection.execute(named).all() if self._has_mail else ()
        own = {row.id: row.notify for row in rows}
        copied = {row.id for row in rows if _gets_copy(connection, row.copy_to, row.received_at)}
        messages = [
            (receiver.lead(lead_id), trace)
            for lead_id, trace in traces.items()
            for receiver in (
                *self._receivers_of(own.get(lead_id)),
                *([SENDER] if lead_id in copied else ()),
            )
        ]
        self._outbox.add_all(connection, messages)

    def _receivers_of(self, notify: str | None) -> Iterable[NoticeReceiver]:
        """Return the receivers of a lead: the addresses that its form names replace the others."""
        if notify is None:
            return self._receivers
        others = [each for each in self._receivers if each.kind is not MAIL]
        named = (NoticeReceiver(MAIL, recipient_id(each)) for each in notify.split(","))
        return (*others, *named)

    async def tell_of_quarantine(
        self, connection: AsyncConnection, since: datetime, until: datetime
    ) -> None:
        """Tell those who get digests of what was quarantined within a time."""
        for receiver in self._receivers:
            if receiver.gets_digests:
                await self._outbox.add(connection, receiver.digest(since, until))


def notifier_of(settings: LeadSettings, outbox: Outbox) -> LeadNotifier | None:
    """Return the notifier of the receivers in the settings; None if there are none."""
    receivers = [NoticeReceiver(MAIL, recipient_id(each)) for each in settings.lead_recipients]
    if settings.leads_webhook_url:
        gets_digests = settings.leads_mapping is None
        receivers.insert(0, NoticeReceiver(LEAD, "webhook", gets_digests=gets_digests))
    has_mail = bool(settings.smtp_url)
    return LeadNotifier(outbox, receivers, has_mail=has_mail) if receivers or has_mail else None


log = logging.getLogger(__name__)

_CHECK_SECONDS = 300


class QuarantineDigests:
    """Tells of leads in quarantine, one process for all that share the database."""

    def __init__(self, database: Database, notifier: LeadNotifier, clock: Clock) -> None:
        self._database = database
        self._notifier = notifier
        self._clock = clock

    async def run(self, stop: asyncio.Event) -> None:
        """Tell what is due until `stop` is set."""
        while not stop.is_set():
            try:
                await self.tell_if_due()
            except StoreUnavailable:
                pass  # the database layer has logged it
            except SchemaMismatch as error:
                log.error("Nobody is told of leads in quarantine: %s", error)
            await wait_or_stop(stop, _CHECK_SECONDS)

    async def tell_if_due(self) -> None:
        """Tell of the leads that were quarantined since the last digest, a day ago or more."""
        now = self._clock()
        async with self._database.reading() as connection:
            told = await connection.execute(select(quarantine_digests.c.told_until))
            since = cast("datetime | None", told.scalar_one())
        until = _next(since, now)
        if until is None:
            return
        async with self._database.writing() as connection:
            is_mine = await _advance(connection, since, until)
            # The first digest, and one after the clock was set back, begin a new day.
            if is_mine and since and since < until and await _is_any(connection, since, until):
                await self._notifier.tell_of_quarantine(connection, since, until)


def _next(since: datetime | None, now: datetime) -> datetime | None:
    """Return until when the next digest tells, or None if it is not due.

    An instant in the future was recorded by a clock that has been set back since. Whole days are
    told, so that the time of day stays the same.

    >>> _next(datetime(2026, 11, 1, 9), datetime(2026, 11, 3, 10))
    datetime.datetime(2026, 11, 3, 9, 0)
    """
    if since is None or since > now:
        return now
    days = (now - since) // EVERY
    return since + days * EVERY if days else None


async def _advance(connection: AsyncConnection, since: datetime | None, until: datetime) -> bool:
    """Record until when is told; return False if another process has done so."""
    told = quarantine_digests.c.told_until
    is_same = told.is_(None) if since is None else told == since
    statement = update(quarantine_digests).where(is_same).values(told_until=until)
    return (await connection.execute(statement)).rowcount > 0


async def _is_any(connection: AsyncConnection, since: datetime, until: datetime) -> bool:
    received = leads.c.received_at
    query = (
        select(func.count())
        .select_from(leads)
        .where(leads.c.quarantined, received >= since, received < until)
    )
    return bool((await connection.execute(query)).scalar_one())
