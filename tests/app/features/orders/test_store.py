"""The order store, on SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from contract.visitor import NOW, FakeClock
from sqlalchemy import event
from sqlalchemy.util import await_only
from storefront.pricing import Item, priced

from app.features.orders.intake import read_order
from app.features.orders.order import Order, OrderDraft, OrderStatus
from app.features.orders.store import OrderChange, OrderQuery, OrderStore
from app.platform.database.database import Database
from app.tables import all_tables
from knowledge.resources.errors import NotFound

WRITERS = 4
EACH = 15


def draft(number: str, **fields: Any) -> OrderDraft:
    """Return a valid draft with this number."""
    order = priced([Item("A", Decimal("1.00"), rate=Decimal(5))], "AED", number=number, **fields)
    return read_order(json.dumps(order).encode())


@pytest.fixture
def clock() -> FakeClock:
    """The clock of the store."""
    return FakeClock()


@pytest.fixture
def store(database: Database, clock: FakeClock) -> OrderStore:
    """An empty store on each kind of database."""
    return OrderStore(database, clock)


async def ids(store: OrderStore, **query: Any) -> list[int]:
    """Return the ids of the orders on the page of a query."""
    return [order.id for order in (await store.page(OrderQuery(**{"limit": 50, **query}))).orders]


async def test_an_order_is_returned_as_it_was_saved(store: OrderStore, clock: FakeClock) -> None:
    """With every field of the draft, plus id, revision and time."""
    saved = draft("WH-1", notes="Two\nlines", status="pending")
    assert await store.save(saved) is OrderChange.NEW
    order = await store.get(1)
    assert (order.id, order.revision, order.updated_at) == (1, 1, clock.now)
    fields = json.loads(order.model_dump_json())
    assert {**fields, **json.loads(saved.model_dump_json())} == fields
    assert await store.by_number("WH-1") == order


async def test_the_same_order_again_changes_nothing_and_another_raises_its_revision(
    store: OrderStore, clock: FakeClock
) -> None:
    """Orders are identified by number; `updatedAt` changes only with the content."""
    await store.save(draft("WH-1"))
    clock.move(timedelta(hours=1))
    assert await store.save(draft("WH-1")) is OrderChange.UNCHANGED
    assert (await store.get(1)).updated_at == NOW
    assert await store.would_save(draft("WH-1", status="completed"), {}) is OrderChange.CHANGED
    assert await store.save(draft("WH-1", status="completed")) is OrderChange.CHANGED
    order = await store.get(1)
    assert (order.revision, order.status, order.updated_at) == (2, OrderStatus.COMPLETED, clock.now)
    assert await ids(store) == [1]


async def test_updated_at_never_decreases(store: OrderStore, clock: FakeClock) -> None:
    """Even if the clocks of several machines differ."""
    await store.save(draft("WH-1"))
    clock.move(-timedelta(minutes=5))
    await store.save(draft("WH-2"))
    assert (await store.get(2)).updated_at == NOW
    assert await ids(store, updated_since=NOW) == [1, 2]


async def test_pages_are_sorted_by_id_and_filtered(store: OrderStore, clock: FakeClock) -> None:
    """Exclusive `since_id`, inclusive `updated_since`, several states."""
    for number, status in enumerate(("pending", "confirmed", "pending", "cancelled"), 1):
        await store.save(draft(f"WH-{number}", status=status))
        clock.move(timedelta(minutes=1))
    assert await ids(store, since_id=2) == [3, 4]
    assert await ids(store, statuses=(OrderStatus.PENDING, OrderStatus.CANCELLED)) == [1, 3, 4]
    assert await ids(store, updated_since=NOW + timedelta(minutes=2)) == [3, 4]
    first = await store.page(OrderQuery(limit=3))
    last = await store.page(OrderQuery(limit=3, since_id=3))
    assert (first.has_more, last.has_more) == (True, False)


async def test_an_id_is_not_a_number(store: OrderStore) -> None:
    """Integrators often confuse the two."""
    await store.save(draft("5"))
    with pytest.raises(NotFound, match="id 5"):
        await store.get(5)


# Paging while others write.


@pytest.fixture
async def writers(migrated_url: str, database: Database) -> AsyncIterator[list[OrderStore]]:
    """Stores with separate connections, like those of several processes."""
    async with AsyncExitStack() as opened:
        yield [
            OrderStore(
                await opened.enter_async_context(
                    Database(migrated_url, wait_seconds=30, tables=all_tables)
                ),
                FakeClock(),
            )
            for _ in range(WRITERS)
        ]


async def test_paging_returns_every_order_once_while_others_write(
    store: OrderStore, writers: list[OrderStore]
) -> None:
    """Nothing is skipped or repeated, however commits and pages interleave."""

    async def write(name: int, writer: OrderStore) -> None:
        for number in range(EACH):
            await writer.save(draft(f"W{name}-{number}"))
            await writer.save(draft(f"W{name}-{number}", status="completed"))

    received: list[Order] = []
    writing = asyncio.gather(*(write(*each) for each in enumerate(writers)))
    while True:
        is_over = writing.done()
        since = received[-1].id if received else 0
        page = await store.page(OrderQuery(limit=7, since_id=since))
        received += page.orders
        if is_over and not page.orders:
            break
    await writing
    assert [order.id for order in received] == list(range(1, WRITERS * EACH + 1))
    assert len({order.number for order in received}) == WRITERS * EACH


async def test_a_late_commit_is_not_skipped(
    database: Database, store: OrderStore, writers: list[OrderStore]
) -> None:
    """A writer that is delayed before its commit blocks writers with larger ids."""
    slow, fast = writers[:2]
    waiting, may_go_on = asyncio.Event(), asyncio.Event()
    save = asyncio.create_task(_save_slowly(slow, waiting, may_go_on))
    await waiting.wait()
    other = asyncio.create_task(fast.save(draft("fast")))
    seen_meanwhile = await ids(store)
    may_go_on.set()
    await asyncio.gather(save, other)
    assert seen_meanwhile == []
    orders = (await store.page(OrderQuery(limit=5))).orders
    assert [(order.id, order.number) for order in orders] == [(1, "slow"), (2, "fast")]


async def _save_slowly(store: OrderStore, waiting: asyncio.Event, may_go_on: asyncio.Event) -> None:
    """Save, but wait between the insert and the commit."""
    engine = store._database._writing_engine.sync_engine

    def hold(_: object) -> None:
        # The hook runs in SQLAlchemy's greenlet, which may await as the driver does.
        waiting.set()
        await_only(may_go_on.wait())

    event.listen(engine, "commit", hold, once=True)
    await store.save(draft("slow"))


async def test_polling_by_time_returns_every_change(
    store: OrderStore, writers: list[OrderStore]
) -> None:
    """Polling with the newest `updatedAt` seen so far returns the last revision of each order."""

    async def write(name: int, writer: OrderStore) -> None:
        for number in range(EACH):
            await writer.save(draft(f"W{name}", notes=f"Change {number}"))

    newest: dict[str, int] = {}
    since: datetime | None = None
    writing = asyncio.gather(*(write(*each) for each in enumerate(writers)))
    while True:
        is_over = writing.done()
        page = await store.page(OrderQuery(limit=100, updated_since=since))
        newest |= {order.number: order.revision for order in page.orders}
        since = max((order.updated_at for order in page.orders), default=since)
        if is_over:
            break
    await writing
    assert newest == {f"W{name}": EACH for name in range(WRITERS)}
