"""The subscribers: who asked for a newsletter, in which locale, and whether they confirmed it."""

from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass, fields
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from app.platform.database.database import Database
from app.platform.database.metadata import UtcDateTime, insert_of, lock_digests, metadata
from app.platform.deliveries.delivery import DeliveryKind, Message
from app.platform.deliveries.outbox import Outbox
from app.platform.submitted_fields import mailbox, normalize_email
from knowledge.locales.locale import Country, Language, Locale


@dataclass(frozen=True, slots=True)
class Subscriber:
    """An address on the list of a form; without `confirmed_at` only asked for."""

    id: str
    form: str
    email: str
    language: str
    country: str | None
    requested_at: datetime
    confirmed_at: datetime | None = None
    mailed_at: datetime | None = None
    """When the last mail went out, or will."""

    @property
    def locale(self) -> Locale:
        """The locale in which the newsletter was asked for."""
        country = Country(self.country) if self.country else None
        return Locale(country, Language(self.language))


_AT_ONCE = timedelta()
_LOCK = sha256(b"majlis newsletter").hexdigest()
NEWSLETTER = DeliveryKind("newsletter")
VALID = timedelta(days=2)
"""How long a request can be confirmed; then it is deleted."""
BETWEEN_MAILS = timedelta(hours=1)
"""Who asks again gets a second mail after this time."""
LONGEST_WAIT = timedelta(days=1)
"""How long a mail waits for its turn at most."""

subscribers = sa.Table(
    "subscribers",
    metadata,
    sa.Column("id", sa.String(36), primary_key=True),
    sa.Column("form", sa.Text, nullable=False),
    sa.Column("email", sa.Text, nullable=False),
    sa.Column("email_folded", sa.Text, nullable=False),
    sa.Column("language", sa.String(2), nullable=False),
    sa.Column("country", sa.String(2)),
    sa.Column("requested_at", UtcDateTime, nullable=False),
    sa.Column("confirmed_at", UtcDateTime),
    sa.Column("mailed_at", UtcDateTime, index=True),
    sa.UniqueConstraint("email_folded", "form"),
)


class SubscriberStore:
    """Subscribers in a database; every method may raise StoreUnavailable, having changed nothing.

    A mail is put into the outbox in the same transaction. It names a subscriber by ID, and is
    written when it is sent: the outbox has no address.
    """

    def __init__(self, database: Database, outbox: Outbox) -> None:
        self._database = database
        self._outbox = outbox

    async def ask(self, new: Subscriber, mails_per_hour: int) -> bool:
        """Enter who asks, and mail them in their turn; False if too many mails wait already.

        A mailbox gets no other mail within the hour: then one waits, for one of its addresses. A
        confirmed address stays as it is.
        """
        now, mailed = new.requested_at, subscribers.c.mailed_at
        folded, box = normalize_email(new.email), mailbox(new.email)
        # An instant after these is one of a clock that was ahead.
        is_recent = (mailed > now - BETWEEN_MAILS, mailed <= now + LONGEST_WAIT)
        alike = sa.select(subscribers.c.email_folded, mailed).where(
            *is_recent, subscribers.c.form == new.form, _may_be_of(box)
        )
        last = sa.select(mailed).where(*is_recent).order_by(mailed.desc())
        insert = insert_of(subscribers, is_postgresql=self._database.is_postgresql)
        row = {**asdict(new), "email_folded": folded}
        own = sa.update(subscribers).where(
            subscribers.c.email_folded == folded, subscribers.c.form == new.form
        )
        newest = {name: row[name] for name in ("language", "country", "requested_at")}
        async with self._database.writing() as connection:
            if self._database.is_postgresql:
                await connection.run_sync(lock_digests, (_LOCK,))
            found = await connection.execute(alike)
            of_box = {email: at for email, at in found if mailbox(email) == box}
            if folded in of_box or any(at > now for at in of_box.values()):
                return True
            full = await connection.execute(last.offset(mails_per_hour - 1).limit(1))
            before = (*of_box.values(), *full.scalars())
            due = max((now, *(each + BETWEEN_MAILS for each in before)))
            if due > now + LONGEST_WAIT:
                return False
            await connection.execute(insert.values(row).on_conflict_do_nothing())
            is_pending = subscribers.c.confirmed_at.is_(None)
            await connection.execute(own.where(is_pending).values(newest))
            mailing = own.values(mailed_at=due).returning(subscribers.c.id)
            subscriber_id = (await connection.execute(mailing)).scalar_one()
            await self._mail(connection, subscriber_id, due - now)
        return True

    async def confirm(self, subscriber_id: str, now: datetime) -> bool:
        """Confirm an address, and mail how to unsubscribe; False if it is not on the list."""
        is_it = subscribers.c.id == subscriber_id
        first = sa.update(subscribers).where(is_it, subscribers.c.confirmed_at.is_(None))
        async with self._database.writing() as connection:
            confirmed = await connection.execute(first.values(confirmed_at=now, mailed_at=now))
            if confirmed.rowcount:
                await self._mail(connection, subscriber_id)
                return True
            return (
                await connection.execute(sa.select(subscribers.c.id).where(is_it))
            ).first() is not None

    async def _mail(
        self, connection: AsyncConnection, subscriber_id: str, delay: timedelta = _AT_ONCE
    ) -> None:
        message = Message(
            kind=NEWSLETTER,
            subject_id=subscriber_id,
            subject=subscriber_id,
            revision=1,
            body=subscriber_id.encode(),
        )
        await self._outbox.add(connection, message, delay)

    async def get(self, subscriber_id: str) -> Subscriber | None:
        """Return the subscriber with this ID, or None."""
        query = sa.select(subscribers).where(subscribers.c.id == subscriber_id)
        async with self._database.reading() as connection:
            row = (await connection.execute(query)).first()
        return _subscriber(row) if row else None

    async def all(self, form: str | None, *, confirmed: bool) -> AsyncIterator[Subscriber]:
        """Yield the subscribers, of one form or all, and perhaps of confirmed addresses only."""
        query = sa.select(subscribers).order_by(subscribers.c.requested_at, subscribers.c.id)
        if form is not None:
            query = query.where(subscribers.c.form == form)
        if confirmed:
            query = query.where(subscribers.c.confirmed_at.is_not(None))
        async with self._database.reading() as connection:
            async for row in await connection.stream(query):
                yield _subscriber(row)

    async def cancel(self, subscriber_id: str) -> int:
        """Delete a subscriber; return how many there were."""
        return await self._number(sa.delete(subscribers).where(subscribers.c.id == subscriber_id))

    async def erase(self, email: str) -> int:
        """Delete an address from all lists; return on how many it was."""
        is_theirs = subscribers.c.email_folded == normalize_email(email)
        return await self._number(sa.delete(subscribers).where(is_theirs))

    async def purge(self, before: datetime) -> int:
        """Delete what was asked for before an instant and not confirmed; return how many."""
        mailed = sa.func.coalesce(subscribers.c.mailed_at, subscribers.c.requested_at)
        asked = (subscribers.c.confirmed_at.is_(None), subscribers.c.requested_at < before)
        return await self._number(sa.delete(subscribers).where(*asked, mailed < before))

    async def _number(self, statement: sa.Delete) -> int:
        async with self._database.writing() as connection:
            return (await connection.execute(statement)).rowcount


def _may_be_of(box: str) -> sa.ColumnElement[bool]:
    """Return a condition that all addresses of a mailbox meet, and perhaps others."""
    name = box.rpartition("@")[0].replace(".", "")
    bare = sa.func.replace(subscribers.c.email_folded, ".", "")
    return sa.or_(*(bare.startswith(f"{name}{sign}", autoescape=True) for sign in "@+"))


def _subscriber(row: sa.Row[Any]) -> Subscriber:
    return Subscriber(**{each.name: getattr(row, each.name) for each in fields(Subscriber)})
