"""The store of orders: each goes in whole or not at all, and is read in the order of commits."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Row, Select, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from app.clock import Clock
from app.database.database import Database
from app.orders.intake import checked_draft
from app.orders.order import Order, OrderDraft, OrderStatus, to_order
from app.orders.tables import order_counter, orders
from knowledge.errors import NotFound


class Change(StrEnum):
    """What taking a draft in does to the store."""

    NEW = "new"
    CHANGED = "changed"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class OrderQuery:
    """Which orders: after an id, of some states, changed since an instant, at most so many."""

    limit: int
    since_id: int = 0
    statuses: tuple[OrderStatus, ...] = ()
    updated_since: datetime | None = None


@dataclass(frozen=True, slots=True)
class OrderPage:
    """Orders by ascending id, and whether there are more."""

    orders: tuple[Order, ...]
    has_more: bool


class OrderStore:
    """Orders in a database; every method raises StoreUnavailable."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def save(self, draft: OrderDraft) -> Change:
        """Take an order in: under a new id, or as the next revision of the one of its number."""
        body = draft.model_dump_json()
        async with self._database.writing() as connection:
            counter = (await connection.execute(select(order_counter).with_for_update())).one()
            known = await _known(connection, draft.number)
            change = _change(known, body)
            if change is Change.UNCHANGED:
                return change
            # Clocks differ between machines; time must not run backwards for who follows it.
            now = max(self._clock(), counter.last_updated_at)
            if known is None:
                await connection.execute(
                    insert(orders).values(
                        id=counter.last_id + 1,
                        number=draft.number,
                        revision=1,
                        status=draft.status,
                        updated_at=now,
                        body=body,
                    )
                )
            else:
                await connection.execute(
                    update(orders)
                    .where(orders.c.id == known.id)
                    .values(
                        revision=known.revision + 1, status=draft.status, updated_at=now, body=body
                    )
                )
            last_id = counter.last_id + (known is None)
            await connection.execute(
                update(order_counter).values(last_id=last_id, last_updated_at=now)
            )
        return change

    async def would_save(self, draft: OrderDraft) -> Change:
        """What `save` would do now, without doing it."""
        async with self._database.reading() as connection:
            return _change(await _known(connection, draft.number), draft.model_dump_json())

    async def get(self, order_id: int) -> Order:
        """One order; raises NotFound."""
        found = await self._one(select(orders).where(orders.c.id == order_id))
        if found is None:
            raise NotFound(
                f"There is no order with id {order_id}.",
                "Take the id from GET /api/orders; it is not the order's number.",
            )
        return found

    async def by_number(self, number: str) -> Order | None:
        """The order of a number, if there is one."""
        return await self._one(select(orders).where(orders.c.number == number))

    async def page(self, query: OrderQuery) -> OrderPage:
        """The first orders that a query asks for."""
        async with self._database.reading() as connection:
            rows = (await connection.execute(_selection(query))).all()
        # Reading a long page takes a while, in which others are to be answered.
        read = await asyncio.to_thread(lambda: tuple(map(_order, rows[: query.limit])))
        return OrderPage(read, len(rows) > query.limit)

    async def _one(self, selection: Select[Any]) -> Order | None:
        async with self._database.reading() as connection:
            row = (await connection.execute(selection)).one_or_none()
        return _order(row) if row else None


async def _known(connection: AsyncConnection, number: str) -> Row[Any] | None:
    return (await connection.execute(select(orders).where(orders.c.number == number))).one_or_none()


def _change(known: Row[Any] | None, body: str) -> Change:
    if known is None:
        return Change.NEW
    return Change.UNCHANGED if known.body == body else Change.CHANGED


def _selection(query: OrderQuery) -> Select[Any]:
    """One more than asked, to know whether there are more."""
    selection = select(orders).where(orders.c.id > query.since_id)
    if query.statuses:
        selection = selection.where(orders.c.status.in_(query.statuses))
    if query.updated_since:
        selection = selection.where(orders.c.updated_at >= query.updated_since)
    return selection.order_by(orders.c.id).limit(query.limit + 1)


def _order(row: Row[Any]) -> Order:
    return to_order(checked_draft(json.loads(row.body)), row.id, row.revision, row.updated_at)
