"""The store of orders: the same promises on SQLite and PostgreSQL."""

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

from app.database.database import Database
from app.orders.intake import read_order
from app.orders.order import Order, OrderDraft, OrderStatus
from app.orders.store import Change, OrderQuery, OrderStore
from knowledge.errors import NotFound

WRITERS = 4
EACH = 15


def draft(number: str, **fields: Any) -> OrderDraft:
    """A good order of this number."""
    order = priced([Item("A", Decimal("1.00"), rate=Decimal(5))], "AED", number=number, **fields)
    return read_order(json.dumps(order).encode())


@pytest.fixture
def clock() -> FakeClock:
    """The store's clock."""
    return FakeClock()


@pytest.fixture
def store(database: Database, clock: FakeClock) -> OrderStore:
    """An empty store on a database of each kind."""
    return OrderStore(database, clock)


async def ids(store: OrderStore, **query: Any) -> list[int]:
    """The ids on the page of a query."""
    return [order.id for order in (await store.page(OrderQuery(**{"limit": 50, **query}))).orders]


async def test_an_order_comes_back_as_it_went_in(store: OrderStore, clock: FakeClock) -> None:
    """With id, revision and the instant it was stored, and every field of the draft."""
    given = draft("WH-1", notes="Two\nlines", status="pending")
    assert await store.save(given) is Change.NEW
    to_order = await store.get(1)
    assert (to_order.id, to_order.revision, to_order.updated_at) == (1, 1, clock.now)
    assert {**json.loads(to_order.model_dump_json()), **json.loads(given.model_dump_json())} == (
        json.loads(to_order.model_dump_json())
    )
    assert await store.by_number("WH-1") == to_order


async def test_the_same_order_again_changes_nothing_and_another_raises_its_revision(
    store: OrderStore, clock: FakeClock
) -> None:
    """Known by its number; its id stays, its `updatedAt` moves only with a change."""
    await store.save(draft("WH-1"))
    clock.move(timedelta(hours=1))
    assert await store.save(draft("WH-1")) is Change.UNCHANGED
    assert (await store.get(1)).updated_at == NOW
    assert await store.would_save(draft("WH-1", status="completed")) is Change.CHANGED
    assert await store.save(draft("WH-1", status="completed")) is Change.CHANGED
    found = await store.get(1)
    assert (found.revision, found.status, found.updated_at) == (2, OrderStatus.COMPLETED, clock.now)
    assert await ids(store) == [1]


async def test_time_does_not_run_backwards_for_a_follower(
    store: OrderStore, clock: FakeClock
) -> None:
    """Clocks of several machines differ; an order is never older than one before it."""
    await store.save(draft("WH-1"))
    clock.move(-timedelta(minutes=5))
    await store.save(draft("WH-2"))
    assert (await store.get(2)).updated_at == NOW
    assert await ids(store, updated_since=NOW) == [1, 2]


async def test_pages_follow_ids_and_keep_to_their_filters(
    store: OrderStore, clock: FakeClock
) -> None:
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


async def test_an_unknown_id_is_told_apart_from_a_number(store: OrderStore) -> None:
    """Mixing the two is what integrators stumble over."""
    await store.save(draft("5"))
    with pytest.raises(NotFound, match="id 5"):
        await store.get(5)


# Following `since_id` while others write.


@pytest.fixture
async def writers(database_url: str, database: Database) -> AsyncIterator[list[OrderStore]]:
    """Stores with connections of their own, as processes have."""
    async with AsyncExitStack() as opened:
        yield [
            OrderStore(await opened.enter_async_context(Database(database_url)), FakeClock())
            for _ in range(WRITERS)
        ]


async def test_a_follower_meets_every_order_once_while_several_write(
    store: OrderStore, writers: list[OrderStore]
) -> None:
    """Nothing is skipped, nothing repeated, however commits and pages interleave."""

    async def write(name: int, writer: OrderStore) -> None:
        for number in range(EACH):
            await writer.save(draft(f"W{name}-{number}"))
            await writer.save(draft(f"W{name}-{number}", status="completed"))

    followed: list[Order] = []
    writing = asyncio.gather(*(write(*each) for each in enumerate(writers)))
    while True:
        is_over = writing.done()
        since = followed[-1].id if followed else 0
        page = await store.page(OrderQuery(limit=7, since_id=since))
        followed += page.orders
        if is_over and not page.orders:
            break
    await writing
    assert [order.id for order in followed] == list(range(1, WRITERS * EACH + 1))
    assert len({order.number for order in followed}) == WRITERS * EACH


async def test_a_late_commit_never_hides_behind_a_cursor(
    database: Database, store: OrderStore, writers: list[OrderStore]
) -> None:
    """A writer that is held up before its commit holds up those whose ids would be larger."""
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
    """Save, but stand still between the insert and the commit."""
    engine = store._database._writing_engine.sync_engine

    def hold(_: object) -> None:
        # The hook runs in SQLAlchemy's greenlet, which may await as the driver does.
        waiting.set()
        await_only(may_go_on.wait())

    event.listen(engine, "commit", hold, once=True)
    await store.save(draft("slow"))


async def test_a_follower_by_time_meets_every_change(
    store: OrderStore, writers: list[OrderStore]
) -> None:
    """`updated_since` with the newest `updatedAt` seen, inclusive, ends with the newest of all."""

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
