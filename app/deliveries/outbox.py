"""The outbox: deliveries that several processes share without sending one twice at once.

A delivery is written in one commit before anything is sent. Who sends it holds a lease; a process
that dies leaves a lease that ends, and the delivery is sent again with the same id and bytes.
Leases and due times go by the database's clock, which is the same for all.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Row, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from app.database.database import Database
from app.deliveries.database_clock import DatabaseClock
from app.deliveries.delivery import Attempt, Delivery, DeliveryStatus, Lease, OutboxCounts
from app.deliveries.tables import deliveries, delivery_attempts
from app.orders.order import Order
from app.orders.tables import orders
from knowledge.errors import NotFound

LEASE = timedelta(seconds=60)
"""Much longer than an attempt may take."""


class AlreadyPending(Exception):
    """A delivery cannot be replayed while another of the same revision is on its way."""


class Outbox:
    """Deliveries in a database; every method raises StoreUnavailable."""

    def __init__(self, database: Database, clock: DatabaseClock | None = None) -> None:
        self._database = database
        self._clock = clock or DatabaseClock()

    async def open(self, order: Order, body: bytes) -> Lease | Delivery:
        """A new delivery, leased to the caller; or the pending one of this revision, if any."""
        async with self._database.writing() as connection:
            pending = await _joined(connection, order)
            if pending:
                return pending
            now = await self._clock.now(connection)
            claim = Lease(_opened(order, body, now, now + LEASE), _lease())
            await connection.execute(insert(deliveries).values(**_row(claim.delivery, claim.lease)))
        return claim

    async def open_due(self, order: Order, body: bytes) -> Delivery:
        """A new delivery for whoever claims it; or the pending one of this revision, if any."""
        async with self._database.writing() as connection:
            pending = await _joined(connection, order)
            if pending:
                return pending
            delivery = _opened(order, body, await self._clock.now(connection))
            await connection.execute(insert(deliveries).values(**_row(delivery)))
        return delivery

    async def claim(self, busy: Collection[int] = ()) -> Lease | None:
        """The right to send the one that is due for longest and nobody is sending.

        `busy` are ids of orders that the caller is sending already. They come last, so that
        one order with many deliveries does not keep the others waiting.
        """
        async with self._database.writing() as connection:
            now = await self._clock.now(connection)
            others = deliveries.c.order_id.not_in(busy)
            delivery = await _due(connection, now, others)
            if delivery is None and busy:
                delivery = await _due(connection, now)
            if delivery is None:
                return None
            claim = Lease(delivery, _lease())
            await connection.execute(
                update(deliveries)
                .where(deliveries.c.id == delivery.id)
                .values(lease=claim.lease, leased_until=now + LEASE)
            )
        return claim

    async def record(
        self, claim: Lease, attempt: Attempt, status: DeliveryStatus, delay: timedelta | None
    ) -> Delivery:
        """Note an attempt, what follows from it, and after which delay the next is to be.

        Where another has taken the lease meanwhile, only the history is added to.
        """
        async with self._database.writing() as connection:
            now = await self._clock.now(connection)
            await connection.execute(
                insert(delivery_attempts).values(
                    delivery_id=claim.delivery.id,
                    started_at=attempt.started_at,
                    finished_at=attempt.finished_at,
                    response_status=attempt.response_status,
                    error=attempt.error,
                )
            )
            await connection.execute(
                update(deliveries)
                .where(deliveries.c.id == claim.delivery.id, deliveries.c.lease == claim.lease)
                .values(
                    status=status,
                    attempts=claim.delivery.attempts + 1,
                    next_attempt_at=None if delay is None else now + delay,
                    leased_until=None,
                    lease=None,
                    response_status=attempt.response_status,
                    error=attempt.error,
                )
            )
            return await _get(connection, claim.delivery.id)

    async def replay(self, delivery_id: str) -> Delivery:
        """Send once more, now, with the same id and bytes, and all attempts ahead of it again.

        Raises NotFound, and AlreadyPending where another of the same revision is on its way.
        """
        async with self._database.writing() as connection:
            delivery = await _get(connection, delivery_id)
            await _hold_order(connection, delivery.order_id)
            pending = await _pending(connection, delivery.order_id, delivery.revision)
            if pending and pending.id != delivery_id:
                raise AlreadyPending(
                    f"{pending.id} is on its way with the same revision of order"
                    f" {delivery.order_number}. Replay that one, or wait for it."
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
        """One delivery; raises NotFound."""
        async with self._database.reading() as connection:
            return await _get(connection, delivery_id)

    async def newest(
        self, limit: int, status: DeliveryStatus | None = None, number: str | None = None
    ) -> list[Delivery]:
        """The latest deliveries, of a status or an order's number where one is given."""
        selection = select(deliveries).order_by(deliveries.c.created_at.desc()).limit(limit)
        if status:
            selection = selection.where(deliveries.c.status == status)
        if number:
            selection = selection.where(deliveries.c.order_number == number)
        async with self._database.reading() as connection:
            return [_delivery(row) for row in await connection.execute(selection)]

    async def counts(self) -> OutboxCounts:
        """How many there are of each status, and since when the most belated is due."""
        number = func.count().label("number")
        counts = select(deliveries.c.status, number).group_by(deliveries.c.status)
        is_pending = deliveries.c.status == DeliveryStatus.PENDING
        first = select(func.min(deliveries.c.next_attempt_at)).where(is_pending)
        async with self._database.reading() as connection:
            found = {row.status: row.number for row in await connection.execute(counts)}
            due_since = (await connection.execute(first)).scalar_one()
        return OutboxCounts({status: found.get(status, 0) for status in DeliveryStatus}, due_since)

    async def attempts(self, delivery_id: str) -> list[Attempt]:
        """Every attempt of a delivery, first to last."""
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


async def _hold_order(connection: AsyncConnection, order_id: int) -> None:
    """Make pushes of one order wait for one another until the commit."""
    await connection.execute(select(orders.c.id).where(orders.c.id == order_id).with_for_update())


async def _due(
    connection: AsyncConnection, now: datetime, *conditions: ColumnElement[bool]
) -> Delivery | None:
    """The one that is due for longest and that nobody is sending or claiming."""
    is_free = or_(deliveries.c.leased_until.is_(None), deliveries.c.leased_until <= now)
    found = await connection.execute(
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
    row = found.first()
    return _delivery(row) if row else None


async def _joined(connection: AsyncConnection, order: Order) -> Delivery | None:
    """The delivery that a push of the order joins; until the commit no other push opens one."""
    await _hold_order(connection, order.id)
    return await _pending(connection, order.id, order.revision)


async def _pending(connection: AsyncConnection, order_id: int, revision: int) -> Delivery | None:
    return await _first(
        connection,
        deliveries.c.order_id == order_id,
        deliveries.c.revision == revision,
        deliveries.c.status == DeliveryStatus.PENDING,
    )


async def _get(connection: AsyncConnection, delivery_id: str) -> Delivery:
    found = await _first(connection, deliveries.c.id == delivery_id)
    if found is None:
        raise NotFound(f"There is no delivery {delivery_id}.", "See `majlis deliveries list`.")
    return found


async def _first(connection: AsyncConnection, *conditions: ColumnElement[bool]) -> Delivery | None:
    row = (await connection.execute(select(deliveries).where(*conditions))).first()
    return _delivery(row) if row else None


def _opened(
    order: Order, body: bytes, now: datetime, leased_until: datetime | None = None
) -> Delivery:
    """A delivery before its first attempt, which is due now."""
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


def _lease() -> str:
    return secrets.token_hex(16)


_FIELDS = tuple(Delivery.__dataclass_fields__)


def _row(delivery: Delivery, lease: str | None = None) -> dict[str, Any]:
    return {name: getattr(delivery, name) for name in _FIELDS} | {"lease": lease}


def _delivery(row: Row[Any]) -> Delivery:
    fields = {name: getattr(row, name) for name in _FIELDS}
    return Delivery(**{**fields, "status": DeliveryStatus(row.status)})
