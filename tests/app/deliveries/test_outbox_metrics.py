"""The census tells how many deliveries there are, and nothing while it cannot know."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import timedelta
from decimal import Decimal

import pytest
from contract.visitor import FakeClock
from sqlalchemy import text
from storefront.clocks import FakeDatabaseClock
from storefront.pricing import Item, priced
from storefront.receiver import Receiver, answers, cut_before_answer
from stores.postgresql import PostgreSQL

from app.database.database import Database
from app.deliveries.dispatcher import WebhookDispatcher
from app.deliveries.outbox import Outbox
from app.deliveries.outbox_metrics import OutboxMetrics
from app.deliveries.sender import Sender
from app.observability.metrics import Sample
from app.orders.intake import read_order
from app.orders.order import Order
from app.orders.store import OrderStore

NONE = {("pending",): 0, ("delivered",): 0, ("failed",): 0}


@pytest.fixture
def clock() -> FakeClock:
    """The clock of the census and of the courier."""
    return FakeClock()


async def stored(database: Database, number: str) -> Order:
    """A new order of this number."""
    store = OrderStore(database, FakeClock())
    written = priced([Item("A", Decimal("2.50"), rate=Decimal(5))], "AED", number=number)
    await store.save(read_order(json.dumps(written).encode()))
    order = await store.by_number(number)
    assert order is not None
    return order


def told(metrics_samples: Iterable[Sample]) -> dict[str, dict[tuple[str, ...], float]]:
    """Figures by name and labels."""
    found: dict[str, dict[tuple[str, ...], float]] = {}
    for family, labels, number in metrics_samples:
        found.setdefault(family.name, {})[labels] = number
    return found


async def test_deliveries_are_told_by_status_and_attempts_by_outcome(
    database: Database, clock: FakeClock
) -> None:
    """One arrived, one is given up, one was refused and one never heard of: both come again."""
    outbox = Outbox(database, FakeDatabaseClock(clock))
    outbox_metrics = OutboxMetrics(outbox, clock)
    assert told(outbox_metrics.metrics_samples()) == {}
    await outbox_metrics.look()
    assert told(outbox_metrics.metrics_samples())["majlis_deliveries"] == NONE
    script = [answers(200), answers(410), answers(500), cut_before_answer]
    async with (
        Receiver(*script) as receiver,
        WebhookDispatcher(outbox, Sender(receiver.url), clock, lambda: 0.5) as dispatcher,
    ):
        for number in range(len(script)):
            await dispatcher.push(await stored(database, f"WH-{number}"))
        attempts = told(dispatcher.metrics_samples())
    await outbox_metrics.look()
    assert told(outbox_metrics.metrics_samples()) == {
        "majlis_deliveries": {("pending",): 2, ("delivered",): 1, ("failed",): 1},
        "majlis_delivery_overdue_seconds": {(): 0},
    }
    assert attempts == {
        "majlis_delivery_attempts": {("delivered",): 1, ("refused",): 2, ("unanswered",): 1}
    }
    clock.move(timedelta(seconds=65))
    assert told(outbox_metrics.metrics_samples())["majlis_delivery_overdue_seconds"] == {(): 60}


async def test_what_was_delivered_is_never_overdue(database: Database, clock: FakeClock) -> None:
    """Only what is still to come can be late."""
    outbox = Outbox(database, FakeDatabaseClock(clock))
    outbox_metrics = OutboxMetrics(outbox, clock)
    async with (
        Receiver() as receiver,
        WebhookDispatcher(outbox, Sender(receiver.url), clock) as dispatcher,
    ):
        await dispatcher.push(await stored(database, "WH-1"))
    clock.move(timedelta(days=1))
    await outbox_metrics.look()
    assert told(outbox_metrics.metrics_samples()) == {
        "majlis_deliveries": NONE | {("delivered",): 1},
        "majlis_delivery_overdue_seconds": {(): 0},
    }


async def test_counting_reads_no_delivery(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Bodies are large, and those that arrived stay: an index answers."""
    file = tmp_path_factory.mktemp("census") / "majlis.db"
    async with Database(f"sqlite:///{file}") as database, database.reading() as connection:
        plan = await connection.execute(
            text("EXPLAIN QUERY PLAN SELECT status, count(*) FROM deliveries GROUP BY status")
        )
        assert "COVERING INDEX ix_deliveries_status" in str(plan.all())


async def test_while_the_database_is_away_nothing_is_told_of_deliveries(
    postgresql: PostgreSQL, clock: FakeClock
) -> None:
    """An old figure would say that all is well."""
    async with Database(postgresql.new_database()) as database:
        await database.upgrade()
        outbox_metrics = OutboxMetrics(Outbox(database), clock)
        await outbox_metrics.look()
        known = told(outbox_metrics.metrics_samples())
        postgresql.stop()
        try:
            await outbox_metrics.look()
            unknown = told(outbox_metrics.metrics_samples())
            away = told(database.metrics_samples())
        finally:
            postgresql.start()
        await outbox_metrics.look()
        assert (unknown, told(outbox_metrics.metrics_samples())) == ({}, known)
        assert away == {"majlis_store_away": {("database",): 1}}
        assert told(database.metrics_samples()) == {"majlis_store_away": {("database",): 0}}
