"""The outbox: a table of deliveries shared by several processes.

A delivery is committed before anything is sent. The process that sends it holds a lease, so no
two processes send it at the same time. If that process dies, the lease expires and the delivery
is sent again with the same id and bytes. Leases and due times use the database's clock.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, fields, replace
from datetime import datetime, timedelta
from itertools import product
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql.dml import ReturningInsert

from app.platform.clock import Clock, utc_now
from app.platform.database.database import Database
from app.platform.database.metadata import insert_of
from app.platform.database.seen_clock import believe, server_time
from app.platform.deliveries.delivery import (
    Attempt,
    Delivery,
    DeliveryKind,
    DeliveryStatus,
    Lease,
    Message,
)
from app.platform.deliveries.tables import IS_PENDING, deliveries, delivery_attempts
from app.platform.observability.metrics import DELIVERIES, OVERDUE, Sample, Source
from app.platform.observability.tracing import TRACEPARENT, TRACESTATE, TraceHeaders, trace_headers
from knowledge.resources.errors import NotFound


class DatabaseClock:
    """Returns the current time within a transaction; `clock` is used for SQLite."""

    def __init__(self, clock: Clock = utc_now) -> None:
        self._clock = clock

    async def now(self, connection: AsyncConnection) -> datetime:
        """Return the current instant, not the one at which the transaction began."""
        return await connection.run_sync(self.read)

    def read(self, connection: sa.Connection) -> datetime:
        """Do the same for synchronous code."""
        return server_time(connection) or self._clock()


_AT_ONCE = timedelta()
LEASE = timedelta(seconds=60)
"""Duration of a lease; much longer than the timeout of an attempt."""
CUT_OFF = "the process that sent it ended before an answer came"


class AlreadyPending(Exception):
    """A delivery cannot be replayed while another one of the same revision is pending."""

    def __init__(self, delivery: Delivery, pending: Delivery | None) -> None:
        super().__init__(
            f"{pending.id if pending else 'Another delivery'} is pending with the same revision of"
            f" {delivery.kind} {delivery.subject}. Replay that delivery, or wait for it."
        )


class Outbox:
    """Deliveries in a database; every method may raise StoreUnavailable."""

    def __init__(self, database: Database, clock: DatabaseClock | None = None) -> None:
        self._database = database
        self._clock = clock or DatabaseClock()

    async def open(self, message: Message, *, again: bool = False) -> Lease | Delivery:
        """Create a delivery leased to the caller, or return that of this revision.

        That is one which is pending or, unless it is to be sent `again`, was delivered.
        """
        token = secrets.token_hex(16)
        async with self._database.writing() as connection:
            delivery, is_new = await self._create(connection, message, token, again=again)
        return Lease(delivery, token) if is_new else delivery

    async def open_due(self, message: Message, *, again: bool = False) -> Delivery:
        """Do the same with a delivery that is due now, and leased to nobody."""
        async with self._database.writing() as connection:
            delivery, _ = await self._create(connection, message, again=again)
        return delivery

    async def add(
        self, connection: AsyncConnection, message: Message, delay: timedelta = _AT_ONCE
    ) -> Delivery:
        """Create a delivery that is sent if the transaction of the caller is committed, or later.

        Or return the pending one of this revision.
        """
        delivery, _ = await self._create(connection, message, delay=delay)
        return delivery

    def add_all(
        self, connection: sa.Connection, messages: Collection[tuple[Message, TraceHeaders]]
    ) -> None:
        """Do the same with many messages, each with the trace that it belongs to."""
        if not messages:
            return
        now = self._clock.read(connection)
        rows = [asdict(_new_delivery(message, now, None, trace)) for message, trace in messages]
        # Of a revision that is pending already, nothing is inserted.
        statement = _insert(connection).on_conflict_do_nothing(
            index_elements=["kind", "subject_id", "revision"], index_where=IS_PENDING
        )
        connection.execute(statement, rows)

    async def _create(
        self,
        connection: AsyncConnection,
        message: Message,
        token: str | None = None,
        delay: timedelta = _AT_ONCE,
        *,
        again: bool = True,
    ) -> tuple[Delivery, bool]:
        """Return the delivery of this revision, and whether it was created."""
        now = await self._clock.now(connection)
        leased_until = now + LEASE if token else None
        new = _new_delivery(message, now, leased_until, trace_headers(), delay)
        stored = await connection.execute(
            _insert_or_find(connection, asdict(new) | {"lease": token})
        )
        delivery = _delivery(stored.one())
        is_new = delivery.id == new.id
        # Only now is it certain that no process is delivering another one.
        is_unique = not again and message.revision is not None
        delivered = is_new and is_unique and await _delivered(connection, message)
        if delivered:
            await connection.execute(sa.delete(deliveries).where(deliveries.c.id == new.id))
            return delivered, False
        return delivery, is_new

    async def has_due(self, kind: DeliveryKind) -> bool:
        """Return whether an unleased delivery is due; unlike a claim it waits for no writer."""
        async with self._database.reading() as connection:
            now = await self._clock.now(connection)
            return await _first(connection, *_is_due(kind, now)) is not None

    async def claim(self, kind: DeliveryKind, busy: Collection[str] = ()) -> Lease | None:
        """Lease the unleased delivery that has been due for the longest time, if there is one.

        `busy` has the ids of subjects that the caller is sending already. They come last, so that
        one subject with many deliveries does not delay the others.
        """
        try:
            return await self._claim(kind, busy)
        except IntegrityError:  # another process has just leased a delivery of an ordered subject
            return None

    async def _claim(self, kind: DeliveryKind, busy: Collection[str]) -> Lease | None:
        async with self._database.writing() as connection:
            now = await self._clock.now(connection)
            others = deliveries.c.subject_id.not_in(busy)
            delivery = await _due(connection, kind, now, others)
            if delivery is None and busy:
                delivery = await _due(connection, kind, now)
            if delivery is None:
                return None
            if until := delivery.leased_until:  # its process was killed, and may have sent it
                cut = Attempt(until - LEASE, until, None, CUT_OFF)
                await connection.execute(_insert_attempt(delivery, cut))
                delivery = replace(delivery, attempts=delivery.attempts + 1)
            delivery = replace(delivery, leased_until=now + LEASE)
            lease = Lease(delivery, secrets.token_hex(16))
            values = {"leased_until": delivery.leased_until, "attempts": delivery.attempts}
            await connection.execute(
                sa.update(deliveries)
                .where(deliveries.c.id == delivery.id)
                .values(**values, lease=lease.token)
            )
        return lease

    async def record(
        self, lease: Lease, attempt: Attempt, status: DeliveryStatus, delay: timedelta | None
    ) -> Delivery:
        """Record an attempt, the new status, and the delay before the next attempt, if any.

        If another process has taken the lease meanwhile, record only the attempt, which that one
        took for cut off.
        """
        async with self._database.writing() as connection:
            now = await self._clock.now(connection)
            own = await connection.execute(
                sa.update(deliveries)
                .where(deliveries.c.id == lease.delivery.id, deliveries.c.lease == lease.token)
                .values(
                    status=status,
                    attempts=lease.delivery.attempts + 1,
                    next_attempt_at=None if delay is None else now + delay,
                    leased_until=None,
                    lease=None,
                    response_status=attempt.response_status,
                    error=attempt.error,
                )
            )
            is_cut = (
                delivery_attempts.c.delivery_id == lease.delivery.id,
                delivery_attempts.c.finished_at == lease.delivery.leased_until,
            )
            late = sa.update(delivery_attempts).where(*is_cut).values(**asdict(attempt))
            if own.rowcount or not (await connection.execute(late)).rowcount:
                await connection.execute(_insert_attempt(lease.delivery, attempt))
            return await _get(connection, lease.delivery.id)

    async def replay(self, delivery_id: str) -> Delivery:
        """Make a delivery due again now, as if it were new; raises NotFound and AlreadyPending."""
        try:
            async with self._database.writing() as connection:
                await _get(connection, delivery_id)
                await connection.execute(
                    sa.update(deliveries)
                    .where(deliveries.c.id == delivery_id)
                    .values(
                        status=DeliveryStatus.PENDING,
                        attempts=0,
                        next_attempt_at=await self._clock.now(connection),
                    )
                )
                return await _get(connection, delivery_id)
        except IntegrityError:
            async with self._database.reading() as connection:
                delivery = await _get(connection, delivery_id)
                pending = await _first(
                    connection,
                    deliveries.c.kind == delivery.kind,
                    deliveries.c.subject_id == delivery.subject_id,
                    deliveries.c.revision == delivery.revision,
                    deliveries.c.status == DeliveryStatus.PENDING,
                )
            raise AlreadyPending(delivery, pending) from None

    async def get(self, delivery_id: str) -> Delivery:
        """Return one delivery; raises NotFound."""
        async with self._database.reading() as connection:
            return await _get(connection, delivery_id)

    async def purge(
        self,
        connection: AsyncConnection,
        kind: DeliveryKind,
        subject_id: str,
        age: timedelta,
        at_most: int,
    ) -> None:
        """Delete some old deliveries of a subject that are not pending, and their attempts."""
        now = await self._clock.now(connection)
        if not await believe(connection, now, is_confirmed=False):
            return
        old = await connection.execute(
            sa.select(deliveries.c.id)
            .where(
                deliveries.c.kind == kind,
                deliveries.c.subject_id == subject_id,
                deliveries.c.status != DeliveryStatus.PENDING,
                deliveries.c.created_at < now - age,
            )
            .limit(at_most)
            .with_for_update(skip_locked=True)
        )
        ids = old.scalars().all()
        await connection.execute(
            sa.delete(delivery_attempts).where(delivery_attempts.c.delivery_id.in_(ids))
        )
        await connection.execute(sa.delete(deliveries).where(deliveries.c.id.in_(ids)))

    async def is_pending(self, kind: DeliveryKind, subject_id: str) -> bool:
        """Return whether any delivery of a subject is pending."""
        async with self._database.reading() as connection:
            pending = await _first(
                connection,
                deliveries.c.kind == kind,
                deliveries.c.subject_id == subject_id,
                deliveries.c.status == DeliveryStatus.PENDING,
            )
        return pending is not None

    async def newest(
        self,
        limit: int,
        status: DeliveryStatus | None = None,
        kind: DeliveryKind | None = None,
        subject: str | None = None,
    ) -> list[Delivery]:
        """Return the latest deliveries, optionally only of one status, kind or subject."""
        selection = sa.select(deliveries).order_by(deliveries.c.created_at.desc()).limit(limit)
        if status:
            selection = selection.where(deliveries.c.status == status)
        if kind:
            selection = selection.where(deliveries.c.kind == kind)
        if subject:
            selection = selection.where(deliveries.c.subject == subject)
        async with self._database.reading() as connection:
            return [_delivery(row) for row in await connection.execute(selection)]

    async def samples(self, clock: Clock, kinds: Sequence[DeliveryKind]) -> Source:
        """Count the deliveries of some kinds; `clock` tells how long they are overdue."""
        kind, status = deliveries.c.kind, deliveries.c.status
        number = sa.func.count().label("number")
        counts = sa.select(kind, status, number).group_by(kind, status)
        due_since = sa.func.min(deliveries.c.next_attempt_at)
        is_pending = status == DeliveryStatus.PENDING
        first = sa.select(kind, due_since).where(is_pending).group_by(kind)
        async with self._database.reading() as connection:
            numbers = {
                (row.kind, row.status): row.number for row in await connection.execute(counts)
            }
            due = {row[0]: row[1] for row in await connection.execute(first)}

        def samples() -> Iterator[Sample]:
            now = clock()
            for kind, status in product(kinds, DeliveryStatus):
                yield DELIVERIES, (status, kind), numbers.get((kind, status), 0)
            for kind in kinds:
                yield OVERDUE, (kind,), max(0.0, (now - due.get(kind, now)).total_seconds())

        return samples

    async def attempts(self, delivery_id: str) -> list[Attempt]:
        """Return every attempt of a delivery, oldest first."""
        selection = (
            sa.select(delivery_attempts)
            .where(delivery_attempts.c.delivery_id == delivery_id)
            .order_by(delivery_attempts.c.id)
        )
        async with self._database.reading() as connection:
            return [
                Attempt(row.started_at, row.finished_at, row.response_status, row.error)
                for row in await connection.execute(selection)
            ]


def _insert(connection: AsyncConnection | sa.Connection) -> sqlite.Insert:
    return insert_of(deliveries, is_postgresql=connection.dialect.name == "postgresql")


def _insert_attempt(delivery: Delivery, attempt: Attempt) -> sa.Insert:
    return sa.insert(delivery_attempts).values(delivery_id=delivery.id, **asdict(attempt))


def _insert_or_find(connection: AsyncConnection, values: dict[str, Any]) -> ReturningInsert[Any]:
    """Insert a delivery, or return the pending one of the revision, in one statement."""
    statement: ReturningInsert[Any] = (
        _insert(connection)
        .values(**values)
        .on_conflict_do_update(
            index_elements=["kind", "subject_id", "revision"],
            index_where=IS_PENDING,
            set_={"status": DeliveryStatus.PENDING},  # without an update, no row is returned
        )
        .returning(deliveries)
    )
    return statement


async def _due(
    connection: AsyncConnection,
    kind: DeliveryKind,
    now: datetime,
    *conditions: sa.ColumnElement[bool],
) -> Delivery | None:
    """Return the unleased delivery that has been due for the longest time, skipping locked rows."""
    due = await connection.execute(
        sa.select(deliveries)
        .where(*_is_due(kind, now), sa.or_(sa.not_(deliveries.c.ordered), _is_first()), *conditions)
        .order_by(deliveries.c.next_attempt_at)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    row = due.first()
    return _delivery(row) if row else None


def _is_due(kind: DeliveryKind, now: datetime) -> Sequence[sa.ColumnElement[bool]]:
    """Return the conditions of a delivery that is due and that nobody leases."""
    return (
        deliveries.c.kind == kind,
        deliveries.c.status == DeliveryStatus.PENDING,
        deliveries.c.next_attempt_at <= now,
        sa.or_(deliveries.c.leased_until.is_(None), deliveries.c.leased_until <= now),
    )


def _is_first() -> sa.ColumnElement[bool]:
    """Whether no pending delivery of the same subject is leased, or older and not sent before.

    Also after a lease has expired, its delivery comes first: it may be at the receiver.
    """
    other = deliveries.alias()
    is_older = sa.tuple_(other.c.created_at, other.c.id) < sa.tuple_(
        deliveries.c.created_at, deliveries.c.id
    )
    comes_first = sa.or_(
        other.c.lease.is_not(None), sa.and_(deliveries.c.lease.is_(None), is_older)
    )
    return sa.not_(
        sa.select(other.c.id)
        .where(
            other.c.kind == deliveries.c.kind,
            other.c.subject_id == deliveries.c.subject_id,
            other.c.status == DeliveryStatus.PENDING,
            other.c.id != deliveries.c.id,
            comes_first,
        )
        .exists()
    )


async def _delivered(connection: AsyncConnection, message: Message) -> Delivery | None:
    """Return the newest delivery of a revision that arrived."""
    of_revision = (
        deliveries.c.kind == message.kind,
        deliveries.c.subject_id == message.subject_id,
        deliveries.c.revision == message.revision,
        deliveries.c.status == DeliveryStatus.DELIVERED,
    )
    query = sa.select(deliveries).where(*of_revision).order_by(deliveries.c.created_at.desc())
    row = (await connection.execute(query.limit(1))).first()
    return _delivery(row) if row else None


async def _get(connection: AsyncConnection, delivery_id: str) -> Delivery:
    delivery = await _first(connection, deliveries.c.id == delivery_id)
    if delivery is None:
        raise NotFound(f"There is no delivery {delivery_id}.", "See `majlis deliveries list`.")
    return delivery


async def _first(
    connection: AsyncConnection, *conditions: sa.ColumnElement[bool]
) -> Delivery | None:
    row = (await connection.execute(sa.select(deliveries).where(*conditions))).first()
    return _delivery(row) if row else None


def _new_delivery(
    message: Message,
    now: datetime,
    leased_until: datetime | None,
    trace: TraceHeaders,
    delay: timedelta = _AT_ONCE,
) -> Delivery:
    """Return a new delivery whose first attempt is due now, or after a delay."""
    return Delivery(
        **asdict(message),
        id=f"msg_{secrets.token_hex(16)}",
        status=DeliveryStatus.PENDING,
        attempts=0,
        created_at=now,
        next_attempt_at=now + delay,
        leased_until=leased_until,
        response_status=None,
        error=None,
        traceparent=trace.get(TRACEPARENT),
        tracestate=trace.get(TRACESTATE),
    )


def _delivery(row: sa.Row[Any]) -> Delivery:
    values = {field.name: getattr(row, field.name) for field in fields(Delivery)}
    enums = {"kind": DeliveryKind(row.kind), "status": DeliveryStatus(row.status)}
    return Delivery(**{**values, **enums})
