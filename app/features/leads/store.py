"""The lead store; a transaction stores a lead completely or changes nothing."""

from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from enum import IntEnum
from typing import Any, cast

from sqlalchemy import ColumnElement, Row, delete, func, or_, select, update

from app.features.leads import LEADS_QUARANTINED
from app.features.leads.intake import KeyInFlight, LeadIntake, received
from app.features.leads.model import Lead, StoredLead, Submission
from app.features.leads.notices import LeadNotifier, notifier_of
from app.features.leads.settings import LeadSettings
from app.features.leads.spam_filter import mark_released
from app.features.leads.tables import lead_files, lead_page, lead_retention, leads
from app.platform.database.database import Database
from app.platform.database.transaction_groups import TransactionGroups, write_groups
from app.platform.deliveries.outbox import Outbox
from app.platform.observability.metrics import Source
from app.platform.submitted_fields import normalize_email


class LeadStore:
    """Leads in a database; every method may raise StoreUnavailable, having changed nothing.

    The notifier, if there is one, learns of every lead once: when it is stored, or released from
    quarantine.
    """

    def __init__(
        self,
        database: Database,
        notifier: LeadNotifier | None = None,
        writer: TransactionGroups | None = None,
    ) -> None:
        self._database = database
        self._writer = writer or write_groups(database)
        self._intake = LeadIntake(notifier, is_postgresql=database.is_postgresql)
        self._keys_in_flight: set[str] = set()

    async def add(self, submission: Submission) -> str:
        """Store a lead durably and return its id; for a duplicate, the id of the earlier lead.

        Equal leads sent at the same time become one. Raises KeyInFlight and KeyReused.
        """
        with self.in_flight(submission.key):
            return await self.add_in_flight(submission)

    async def add_in_flight(self, submission: Submission) -> str:
        """Do the same for a submission whose key is in flight."""
        return await self._writer.run(self._intake.store, received(submission))

    async def all(
        self,
        quarantined: bool | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        page: str | None = None,
    ) -> AsyncIterator[StoredLead]:
        """Yield every lead, oldest first, with only a few in memory at a time.

        `since` is inclusive, `until` exclusive. `page` is a site path, or its beginning and `*`.
        """
        conditions = _conditions(quarantined, until, since, page)
        query = select(leads).where(*conditions).order_by(leads.c.received_at, leads.c.id)
        async with self._database.reading() as connection:
            async for row in await connection.stream(query):
                yield _stored_lead(row)

    async def get(self, lead_id: str) -> StoredLead | None:
        """Return the lead with this id, or None."""
        async with self._database.reading() as connection:
            row = (await connection.execute(select(leads).where(leads.c.id == lead_id))).first()
        return _stored_lead(row) if row else None

    async def file(self, lead_id: str, number: int) -> bytes | None:
        """Return the bytes of a file of a lead, or None."""
        is_it = (lead_files.c.lead_id == lead_id, lead_files.c.number == number)
        async with self._database.reading() as connection:
            found = await connection.execute(select(lead_files.c.content).where(*is_it))
        return cast("bytes | None", found.scalar_one_or_none())

    async def count(
        self,
        quarantined: bool | None = None,
        before: datetime | None = None,
        since: datetime | None = None,
        page: str | None = None,
    ) -> int:
        """Return the number of matching leads."""
        conditions = _conditions(quarantined, before, since, page)
        query = select(func.count()).select_from(leads).where(*conditions)
        async with self._database.reading() as connection:
            return (await connection.execute(query)).scalar_one()

    async def quarantined_samples(self) -> Source:
        """Count the leads in quarantine, for the metrics."""
        number = await self.count(quarantined=True)
        return lambda: [(LEADS_QUARANTINED, (), number)]

    async def oldest(self) -> datetime | None:
        """Return when the oldest lead was received, or None."""
        async with self._database.reading() as connection:
            first = await connection.execute(select(func.min(leads.c.received_at)))
        return cast("datetime | None", first.scalar_one())

    async def quarantine(self, lead_ids: Collection[str]) -> frozenset[str]:
        """Put leads in quarantine, and forget their release; return the ids that changed."""
        statement = update(leads).where(leads.c.id.in_(lead_ids), ~leads.c.quarantined)
        async with self._database.writing() as connection:
            changed = await connection.execute(
                statement.values(quarantined=True).returning(leads.c.id)
            )
            quarantined = frozenset(changed.scalars())
            await mark_released(connection, quarantined, is_released=False)
        return quarantined

    async def release(self, lead_ids: Collection[str]) -> frozenset[str]:
        """Take leads out of quarantine and tell the notifier; return the ids that changed."""
        async with self._database.writing() as connection:
            released = await connection.run_sync(self._intake.release, lead_ids)
            await mark_released(connection, released, is_released=True)
        return released

    async def delete(self, lead_ids: Collection[str]) -> frozenset[str]:
        """Delete leads and their idempotency keys; return the ids that existed."""
        statement = delete(leads).where(leads.c.id.in_(lead_ids)).returning(leads.c.id)
        async with self._database.writing() as connection:
            return frozenset((await connection.execute(statement)).scalars())

    async def purge(self, before: datetime, at_most: int) -> int:
        """Delete at most `at_most` leads received before an instant; return how many."""
        oldest = select(leads.c.id).where(leads.c.received_at < before).limit(at_most)
        async with self._database.writing() as connection:
            return (await connection.execute(delete(leads).where(leads.c.id.in_(oldest)))).rowcount

    async def begin_catch_up(self, now: datetime, interval: timedelta) -> bool:
        """Return whether the caller may catch up now; true once per interval for all processes."""
        return await begin_catch_up(self._database, LeadWork.DELETION, now, interval)

    async def erase(self, email: str = "", phone: str = "") -> int:
        """Delete all leads of an e-mail address or a telephone number (E.164); return how many."""
        is_theirs = leads.c.email_folded == normalize_email(email)
        if not email:
            is_theirs = leads.c.phone_e164 == phone
        statement = delete(leads).where(is_theirs, leads.c.anonymised_at.is_(None))
        async with self._database.writing() as connection:
            return (await connection.execute(statement)).rowcount

    @contextmanager
    def in_flight(self, key: str | None) -> Iterator[None]:
        """Hold a key for the block; raises KeyInFlight if another request holds it."""
        if key is None:
            yield
            return
        if key in self._keys_in_flight:
            raise KeyInFlight
        self._keys_in_flight.add(key)
        try:
            yield
        finally:
            self._keys_in_flight.discard(key)


def lead_store(
    settings: LeadSettings,
    database: Database,
    outbox: Outbox,
    writer: TransactionGroups | None = None,
) -> LeadStore:
    """Return the store of leads, which tells the receivers of the settings, if there are any."""
    return LeadStore(database, notifier_of(settings, outbox), writer)


def _conditions(
    quarantined: bool | None,
    before: datetime | None = None,
    since: datetime | None = None,
    page: str | None = None,
) -> Iterator[ColumnElement[bool]]:
    if quarantined is not None:
        yield leads.c.quarantined == quarantined
    if before is not None:
        yield leads.c.received_at < before
    if since is not None:
        yield leads.c.received_at >= since
    if page is not None:
        yield _is_from(page)


def _is_from(page: str) -> ColumnElement[bool]:
    """Whether a lead comes from a page, or from one that begins with what precedes the `*`."""
    if not page.endswith("*"):
        return lead_page == page
    prefix = page[:-1]  # LIKE would ignore the letter case on SQLite only
    return func.substr(lead_page, 1, len(prefix)) == prefix


def _stored_lead(row: Row[Any]) -> StoredLead:
    fields = {name: getattr(row, name) for name in Lead.model_fields}
    return StoredLead(
        id=row.id,
        received_at=row.received_at,
        quarantined=row.quarantined,
        phone_e164=row.phone_e164,
        lead=Lead.model_construct(**fields),
        notify=tuple(filter(None, (row.notify or "").split(","))),
    )


class LeadWork(IntEnum):
    """What is done to overdue leads; the id of its row."""

    DELETION = 1
    ANONYMISATION = 2


async def begin_catch_up(
    database: Database, work: LeadWork, now: datetime, interval: timedelta
) -> bool:
    """Return whether the caller may catch up now; true once per interval for all processes.

    An instant in the future was recorded by a clock that has been set back since.
    """
    last = lead_retention.c.caught_up_at
    is_free = or_(last.is_(None), last <= now - interval, last > now)
    statement = update(lead_retention).where(lead_retention.c.id == work, is_free)
    async with database.writing() as connection:
        return (await connection.execute(statement.values(caught_up_at=now))).rowcount > 0
