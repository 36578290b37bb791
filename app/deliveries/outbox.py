"""The outbox: a table of deliveries shared by several processes.

A delivery is committed before anything is sent. The process that sends it holds a lease, so no
two processes send it at the same time. If that process dies, the lease expires and the delivery
is sent again with the same id and bytes. Leases and due times use the database's clock.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterator
from dataclasses import asdict, fields
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Row, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from app.clock import Clock, utc_now
from app.database.database import Database
from app.deliveries.delivery import Attempt, Delivery, DeliveryStatus, Lease
from app.deliveries.tables import deliveries, delivery_attempts
from app.observability.metrics import DELIVERIES, OVERDUE, Sample, Source
from app.orders.order import Order
from app.orders.tables import orders
from knowledge.errors import NotFound


class DatabaseClock:
    """Returns the current time within a transaction; `clock` is used for SQLite."""

    def __init__(self, clock: Clock = utc_now) -> None:
        self._clock = clock

    async def now(self, connection: AsyncConnection) -> datetime:
        """Return the current instant, not the one at which the transaction began."""
        if connection.dialect.name != "postgresql":
            return self._clock()
        now: datetime = (await connection.execute(select(func.clock_timestamp()))).scalar_one()
        return now.astimezone(UTC)


LEASE = timedelta(seconds=60)
"""Duration of a lease; much longer than the timeout of an attempt."""


class AlreadyPending(Exception):
    """A delivery cannot be replayed while another one of the same revision is pending."""


class Outbox:
    """Deliveries in a database; every method may raise StoreUnavailable."""

    def __init__(self, database: Database, clock: DatabaseClock | None = None) -> None:
        self._database = database
        self._clock = clock or DatabaseClock()

    async def open(self, order: Order, body: bytes) -> Lease | Delivery:
        """Create a delivery leased to the caller, or return the pending one of this revision."""
        token = _new_token()
        delivery, is_new = await self._create(order, body, token)
        return Lease(delivery, token) if is_new else delivery

    async def open_due(self, order: Order, body: bytes) -> Delivery:
        """Create a delivery that is due now, or return the pending one of this revision."""
        delivery, _ = await self._create(order, body)
        return delivery

    async def _create(
        self, order: Order, body: bytes, token: str | None = None
    ) -> tuple[Delivery, bool]:
        """Return the pending delivery of this revision, and whether it was created."""
        async with self._database.writing() as connection:
            await _lock_order(connection, order.id)
            pending = await _pending(connection, order.id, order.revision)
            if pending:
                return pending, False
            now = await self._clock.now(connection)
            delivery = _new_delivery(order, body, now, now + LEASE if token else None)
            await connection.execute(insert(deliveries).values(**asdict(delivery), lease=token))
        return delivery, True

    async def claim(self, busy: Collection[int] = ()) -> Lease | None:
        """Lease the unleased delivery that has been due for the longest time, if there is one.

        `busy` has the ids of orders that the caller is sending already. They come last, so that
        one order with many deliveries does not delay the others.
        """
        async with self._database.writing() as connection:
            now = await self._clock.now(connection)
            others = deliveries.c.order_id.not_in(busy)
            delivery = await _due(connection, now, others)
            if delivery is None and busy:
                delivery = await _due(connection, now)
            if delivery is None:
                return None
            lease = Lease(delivery, _new_token())
            await connection.execute(
                update(deliveries)
                .where(deliveries.c.id == delivery.id)
                .values(lease=lease.token, leased_until=now + LEASE)
            )
        return lease

    async def record(
        self, lease: Lease, attempt: Attempt, status: DeliveryStatus, delay: timedelta | None
    ) -> Delivery:
        """Record an attempt, the new status, and the delay before the next attempt, if any.

        If another process has taken the lease meanwhile, record the attempt only.
        """
        async with self._database.writing() as connection:
            now = await self._clock.now(connection)
            await connection.execute(
                insert(delivery_attempts).values(delivery_id=lease.delivery.id, **asdict(attempt))
            )
            await connection.execute(
                update(deliveries)
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
            return await _get(connection, lease.delivery.id)

    async def replay(self, delivery_id: str) -> Delivery:
        """Make a delivery due again now, with the same id and bytes and a full set of attempts.

        Raises NotFound, and AlreadyPending if another delivery of the same revision is pending.
        """
        async with self._database.writing() as connection:
            delivery = await _get(connection, delivery_id)
            await _lock_order(connection, delivery.order_id)
            pending = await _pending(connection, delivery.order_id, delivery.revision)
            if pending and pending.id != delivery_id:
                raise AlreadyPending(
                    f"{pending.id} is pending with the same revision of order"
                    f" {delivery.order_number}. Replay that delivery, or wait for it."
                )
            await connection.execute(
                update(deliveries)
                .where(deliveries.c.id == delivery_id)
                .values(
                    status=DeliveryStatus.PENDING,
                    attempts=0,
                    next_attempt_at=await self._clock.now(connection),
                )
            )
            return await _get(connection, delivery_id)

    async def get(self, delivery_id: str) -> Delivery:
        """Return one delivery; raises NotFound."""
        async with self._database.reading() as connection:
            return await _get(connection, delivery_id)

    async def newest(
        self, limit: int, status: DeliveryStatus | None = None, number: str | None = None
    ) -> list[Delivery]:
        """Return the latest deliveries, optionally only of one status or order number."""
        selection = select(deliveries).order_by(deliveries.c.created_at.desc()).limit(limit)
        if status:
            selection = selection.where(deliveries.c.status == status)
        if number:
            selection = selection.where(deliveries.c.order_number == number)
        async with self._database.reading() as connection:
            return [_delivery(row) for row in await connection.execute(selection)]

    async def samples(self, clock: Clock) -> Source:
        """Count deliveries by status for the metrics; `clock` tells how long they are overdue."""
        number = func.count().label("number")
        counts = select(deliveries.c.status, number).group_by(deliveries.c.status)
        is_pending = deliveries.c.status == DeliveryStatus.PENDING
        first = select(func.min(deliveries.c.next_attempt_at)).where(is_pending)
        async with self._database.reading() as connection:
            numbers = {row.status: row.number for row in await connection.execute(counts)}
            due_since = (await connection.execute(first)).scalar_one()

        def samples() -> Iterator[Sample]:
            for status in DeliveryStatus:
                yield DELIVERIES, (status,), numbers.get(status, 0)
            now = clock()
            yield OVERDUE, (), max(0.0, (now - (due_since or now)).total_seconds())

        return samples

    async def attempts(self, delivery_id: str) -> list[Attempt]:
        """Return every attempt of a delivery, oldest first."""
        selection = (
            select(delivery_attempts)
            .where(delivery_attempts.c.delivery_id == delivery_id)
            .order_by(delivery_attempts.c.id)
        )
        async with self._database.reading() as connection:
            return [
                Attempt(row.started_at, row.finished_at, row.response_status, row.error)
                for row in await connection.execute(selection)
            ]


async def _lock_order(connection: AsyncConnection, order_id: int) -> None:
    """Lock the order until the commit, so that pushes of one order run one after another."""
    await connection.execute(select(orders.c.id).where(orders.c.id == order_id).with_for_update())


async def _due(
    connection: AsyncConnection, now: datetime, *conditions: ColumnElement[bool]
) -> Delivery | None:
    """Return the unleased delivery that has been due for the longest time, skipping locked rows."""
    is_free = or_(deliveries.c.leased_until.is_(None), deliveries.c.leased_until <= now)
    due = await connection.execute(
        select(deliveries)
        .where(
            deliveries.c.status == DeliveryStatus.PENDING,
            deliveries.c.next_attempt_at <= now,
            is_free,
            *conditions,
        )
        .order_by(deliveries.c.next_attempt_at)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    row = due.first()
    return _delivery(row) if row else None


async def _pending(connection: AsyncConnection, order_id: int, revision: int) -> Delivery | None:
    return await _first(
        connection,
        deliveries.c.order_id == order_id,
        deliveries.c.revision == revision,
        deliveries.c.status == DeliveryStatus.PENDING,
    )


async def _get(connection: AsyncConnection, delivery_id: str) -> Delivery:
    delivery = await _first(connection, deliveries.c.id == delivery_id)
    if delivery is None:
        raise NotFound(f"There is no delivery {delivery_id}.", "See `majlis deliveries list`.")
    return delivery


async def _first(connection: AsyncConnection, *conditions: ColumnElement[bool]) -> Delivery | None:
    row = (await connection.execute(select(deliveries).where(*conditions))).first()
    return _delivery(row) if row else None


def _new_delivery(
    order: Order, body: bytes, now: datetime, leased_until: datetime | None
) -> Delivery:
    """Return a new delivery whose first attempt is due now."""
    return Delivery(
        id=f"msg_{secrets.token_hex(16)}",
        order_id=order.id,
        order_number=order.number,
        revision=order.revision,
        body=body,
        status=DeliveryStatus.PENDING,
        attempts=0,
        created_at=now,
        next_attempt_at=now,
        leased_until=leased_until,
        response_status=None,
        error=None,
    )


def _new_token() -> str:
    return secrets.token_hex(16)


def _delivery(row: Row[Any]) -> Delivery:
    values = {field.name: getattr(row, field.name) for field in fields(Delivery)}
    return Delivery(**{**values, "status": DeliveryStatus(row.status)})
