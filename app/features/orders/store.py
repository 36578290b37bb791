"""The order store: saves orders atomically and pages through them in commit order."""

import asyncio
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from hashlib import sha256
from typing import Any, AnyStr

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from app.features.orders.intake import checked_draft
from app.features.orders.order import Order, OrderDraft, OrderStatus, to_order
from app.platform.clock import Clock
from app.platform.database.database import Database
from app.platform.database.metadata import UtcDateTime, begin_with, metadata
from knowledge.resources.errors import NotFound


class OrderChange(StrEnum):
    """Effect of saving a draft."""

    NEW = "new"
    CHANGED = "changed"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class OrderQuery:
    """Filter for orders: `since_id` is exclusive, `updated_since` inclusive."""

    limit: int
    since_id: int = 0
    statuses: tuple[OrderStatus, ...] = ()
    updated_since: datetime | None = None


@dataclass(frozen=True, slots=True)
class OrderPage:
    """Orders by ascending id, and whether more follow."""

    orders: tuple[Order, ...]
    has_more: bool


orders = sa.Table(
    "orders",
    metadata,
    sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("number", sa.String(64), nullable=False, unique=True),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("status", sa.String(16), nullable=False),
    sa.Column("updated_at", UtcDateTime, nullable=False),
    sa.Column("body", sa.Text, nullable=False),  # the draft as JSON
    sa.Index(None, "updated_at"),
)

order_counter = sa.Table(
    "order_counter",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),  # 1: there is one row
    sa.Column("last_id", sa.BigInteger, nullable=False),
    sa.Column("last_updated_at", UtcDateTime, nullable=False),
)
"""Every write of an order locks this row until the commit. So ids and `updated_at` become visible
in ascending order, and a client that pages by either of them misses nothing."""

begin_with(
    order_counter, {"id": 1, "last_id": 0, "last_updated_at": datetime.fromtimestamp(0, UTC)}
)


class OrderStore:
    """Orders in a database; every method may raise StoreUnavailable."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def save(self, draft: OrderDraft) -> OrderChange:
        """Save a draft as a new order, or as the next revision of the order with its number."""
        body = draft.model_dump_json()
        async with self._database.writing() as connection:
            counter = (await connection.execute(sa.select(order_counter).with_for_update())).one()
            existing = await _row_of(connection, draft.number)
            change = _change(existing and existing.body, body)
            if change is OrderChange.UNCHANGED:
                return change
            # Clocks of machines differ, but `updated_at` must never decrease: clients poll by it.
            now = max(self._clock(), counter.last_updated_at)
            values = {"status": draft.status, "updated_at": now, "body": body}
            last_id = counter.last_id
            if existing is None:
                last_id += 1
                values |= {"id": last_id, "number": draft.number, "revision": 1}
                await connection.execute(sa.insert(orders).values(values))
            else:
                values["revision"] = existing.revision + 1
                changed = sa.update(orders).where(orders.c.id == existing.id)
                await connection.execute(changed.values(values))
            await connection.execute(
                sa.update(order_counter).values(last_id=last_id, last_updated_at=now)
            )
        return change

    async def would_save(self, draft: OrderDraft, earlier: dict[str, bytes]) -> OrderChange:
        """Return what `save` would do, without saving.

        `earlier` gets the digest of each draft by its number, which a later one is compared with.
        """
        digest = _digest(draft.model_dump_json())
        known = earlier.get(draft.number)
        if known is None:
            async with self._database.reading() as connection:
                row = await _row_of(connection, draft.number)
            known = row and _digest(row.body)
        earlier[draft.number] = digest
        return _change(known, digest)

    async def get(self, order_id: int) -> Order:
        """Return one order; raises NotFound."""
        order = await self._one(sa.select(orders).where(orders.c.id == order_id))
        if order is None:
            raise NotFound(
                f"There is no order with id {order_id}.",
                "Take the id from GET /api/orders; it is not the order's number.",
            )
        return order

    async def by_number(self, number: str) -> Order | None:
        """Return the order with a number, or None."""
        return await self._one(sa.select(orders).where(orders.c.number == number))

    async def page(self, query: OrderQuery) -> OrderPage:
        """Return the first orders that match a query, at most `query.limit`."""
        async with self._database.reading() as connection:
            rows = (await connection.execute(_selection(query))).all()
        # Parsing a long page takes a while; a thread keeps the event loop free.
        page = await asyncio.to_thread(lambda: tuple(map(_order, rows[: query.limit])))
        return OrderPage(page, len(rows) > query.limit)

    async def _one(self, selection: sa.Select[Any]) -> Order | None:
        async with self._database.reading() as connection:
            row = (await connection.execute(selection)).one_or_none()
        return _order(row) if row else None


async def _row_of(connection: AsyncConnection, number: str) -> sa.Row[Any] | None:
    return (
        await connection.execute(sa.select(orders).where(orders.c.number == number))
    ).one_or_none()


def _digest(body: str) -> bytes:
    return sha256(body.encode()).digest()


def _change(existing: AnyStr | None, new: AnyStr) -> OrderChange:
    if existing is None:
        return OrderChange.NEW
    return OrderChange.UNCHANGED if existing == new else OrderChange.CHANGED


def _selection(query: OrderQuery) -> sa.Select[Any]:
    """Select one row more than the limit, to learn whether more follow."""
    selection = sa.select(orders).where(orders.c.id > query.since_id)
    if query.statuses:
        selection = selection.where(orders.c.status.in_(query.statuses))
    if query.updated_since:
        selection = selection.where(orders.c.updated_at >= query.updated_since)
    return selection.order_by(orders.c.id).limit(query.limit + 1)


def _order(row: sa.Row[Any]) -> Order:
    return to_order(checked_draft(json.loads(row.body)), row.id, row.revision, row.updated_at)
