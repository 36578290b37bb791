"""The lead store; a transaction stores a lead completely or changes nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, cast

from sqlalchemy import ColumnElement, Row, and_, delete, func, insert, not_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from app.database.database import Database
from app.database.postgresql import advisory_lock_id
from app.leads.assessment import Reason
from app.leads.catch_ups import Work, begin_catch_up
from app.leads.email_address import normalize_email
from app.leads.lead import Lead, StoredLead, Submission
from app.leads.notices import LeadNotifier
from app.leads.spam_history import learn, store_assessment, unlearn
from app.leads.tables import lead_assessments, lead_keys, lead_page, leads
from app.observability.metrics import LEADS_QUARANTINED, Source
from knowledge.errors import MajlisError

DEDUPE_WINDOW = timedelta(minutes=10)
"""Equal content received within this time of the first is the same lead, e.g. a double click."""
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


class LeadStore:
    """Leads on SQLite or PostgreSQL.

    The notifier, if there is one, learns of every lead once: when it is stored, or if it is in
    quarantine, when it is released.

    Every method may raise StoreUnavailable; nothing has changed in that case.
    """

    def __init__(self, database: Database, notifier: LeadNotifier | None = None) -> None:
        self._database = database
        self._notifier = notifier
        self._keys_in_flight: set[str] = set()

    async def add(self, submission: Submission) -> str:
        """Store a lead durably and return its id; for a duplicate, the id of the earlier lead.

        Equal leads sent at the same time become one. Raises KeyInFlight and KeyReused.
        """
        with self.in_flight(submission.key):
            return await self.add_in_flight(submission)

    async def add_in_flight(self, submission: Submission) -> str:
        """Do the same for a submission whose key is in flight."""
        async with self._database.writing() as connection:
            await self._lock(connection, submission)
            lead_id = await _lead_of_key(connection, submission)
            if lead_id is None:
                lead_id = await _duplicate_of(connection, submission)
                if lead_id is None:
                    lead_id = await self._insert(connection, submission)
                elif not submission.quarantined:
                    await self._release(connection, [lead_id])  # one copy was judged honest
                await _store_key(connection, submission, lead_id)
            return lead_id

    async def all(
        self,
        quarantined: bool | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        page: str | None = None,
    ) -> AsyncIterator[StoredLead]:
        """Yield every lead, oldest first, with only a few in memory at a time.

        `quarantined` selects only leads in quarantine, or only the others. `since` (inclusive) and
        `until` (exclusive) limit the time of receipt. `page` is a site path; with `*` at its end
        it selects all pages that begin so.
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
            await unlearn(connection, quarantined)
        return quarantined

    async def release(self, lead_ids: Collection[str]) -> frozenset[str]:
        """Take leads out of quarantine, learn from it, and tell the notifier.

        Returns the ids that changed.
        """
        async with self._database.writing() as connection:
            released = await self._release(connection, lead_ids)
            await learn(connection, released)
        return released

    async def _release(
        self, connection: AsyncConnection, lead_ids: Collection[str]
    ) -> frozenset[str]:
        """Take leads out of quarantine, and tell the notifier of them."""
        statement = update(leads).where(leads.c.id.in_(lead_ids), leads.c.quarantined)
        changed = await connection.execute(
            statement.values(quarantined=False).returning(leads.c.id)
        )
        released = frozenset(changed.scalars())
        if self._notifier:
            await self._notifier.tell(connection, await _to_tell(connection, released))
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
        return await begin_catch_up(self._database, Work.DELETION, now, interval)

    async def erase(self, email: str) -> int:
        """Delete all leads of an e-mail address; return how many."""
        is_theirs = leads.c.email_folded == normalize_email(email)
        statement = delete(leads).where(is_theirs, leads.c.anonymised_at.is_(None))
        async with self._database.writing() as connection:
            return (await connection.execute(statement)).rowcount

    async def _insert(self, connection: AsyncConnection, submission: Submission) -> str:
        """Insert a lead, and tell the notifier unless it is in quarantine."""
        notifier = None if submission.quarantined else self._notifier
        lead = submission.lead
        await connection.execute(
            insert(leads).values(
                id=submission.id,
                received_at=submission.received_at,
                quarantined=submission.quarantined,
                notified=notifier is not None,
                digest=lead.digest,
                email_folded=lead.email_folded,
                phone_e164=submission.phone_e164,
                **{name: getattr(lead, name) for name in Lead.model_fields},
            )
        )
        if submission.assessment:
            await store_assessment(
                connection, submission.id, submission.received_at, submission.assessment
            )
        if notifier:
            await notifier.tell(connection, [submission.id])
        return submission.id

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

    async def _lock(self, connection: AsyncConnection, submission: Submission) -> None:
        """Lock the key and the content until this transaction ends; raises KeyInFlight.

        SQLite allows only one writing transaction anyway. A locked key is refused at once rather
        than waited for, so that two transactions cannot deadlock.
        """
        if not self._database.is_postgresql:
            return
        if submission.key is not None:
            lock = select(func.pg_try_advisory_xact_lock(advisory_lock_id(submission.key)))
            if not (await connection.execute(lock)).scalar_one():
                raise KeyInFlight
        await connection.execute(
            select(func.pg_advisory_xact_lock(advisory_lock_id(submission.lead.digest)))
        )


async def _lead_of_key(connection: AsyncConnection, submission: Submission) -> str | None:
    """Return the id of the lead sent with the same key, if any; delete expired keys."""
    if submission.key is None:
        return None
    expired = lead_keys.c.received_at < submission.received_at - IDEMPOTENCY_TTL
    await connection.execute(delete(lead_keys).where(expired))
    same_key = select(lead_keys).where(lead_keys.c.digest == submission.key)
    row = (await connection.execute(same_key)).first()
    if row is None:
        return None
    if row.body_digest != submission.body_digest:
        raise KeyReused
    return str(row.lead_id)


async def _duplicate_of(connection: AsyncConnection, submission: Submission) -> str | None:
    """Return the id of a lead with the same content, received recently.

    One that is trapped stands for no other lead, nor another one for it. Leads with a slightly
    later time count too, in case the clock was set back.
    """
    received_at = submission.received_at
    judged = select(lead_assessments.c.lead_id).where(
        lead_assessments.c.lead_id == leads.c.id,
        ~lead_assessments.c.reasons.startswith(Reason.HONEYPOT),
    )
    is_trapped = and_(leads.c.quarantined, ~judged.exists())
    query = (
        select(leads.c.id)
        .where(
            leads.c.digest == submission.lead.digest,
            leads.c.received_at.between(received_at - DEDUPE_WINDOW, received_at + DEDUPE_WINDOW),
            is_trapped if submission.is_trapped else not_(is_trapped),
        )
        .order_by(leads.c.quarantined, leads.c.received_at)
        .limit(1)
    )
    return (await connection.execute(query)).scalar_one_or_none()


async def _to_tell(connection: AsyncConnection, lead_ids: Collection[str]) -> frozenset[str]:
    """Mark leads as told, and return the ids of those that were not."""
    statement = update(leads).where(leads.c.id.in_(lead_ids), ~leads.c.notified)
    marked = await connection.execute(statement.values(notified=True).returning(leads.c.id))
    return frozenset(marked.scalars())


async def _store_key(connection: AsyncConnection, submission: Submission, lead_id: str) -> None:
    if submission.key is None:
        return
    await connection.execute(
        insert(lead_keys).values(
            digest=submission.key,
            body_digest=submission.body_digest,
            lead_id=lead_id,
            received_at=submission.received_at,
        )
    )


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
    )
