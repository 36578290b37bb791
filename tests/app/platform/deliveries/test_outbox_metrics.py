"""Metrics of the outbox: deliveries by status, attempts by outcome, no stale values."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import timedelta
from decimal import Decimal
from functools import partial
from itertools import product

import pytest
from contract.visitor import FakeClock
from sqlalchemy import text
from storefront.clocks import FakeDatabaseClock
from storefront.pricing import Item, priced
from storefront.receiver import Receiver, answers, cut_before_answer
from stores.postgresql import PostgreSQL

from app.features.orders.intake import read_order
from app.features.orders.order import Order
from app.features.orders.partner import message_of
from app.features.orders.store import OrderStore
from app.platform.concurrency.background import PolledSamples
from app.platform.database.database import Database
from app.platform.deliveries.delivery import DeliveryKind, DeliveryStatus
from app.platform.deliveries.dispatcher import Dispatcher
from app.platform.deliveries.http_client import WebhookSender
from app.platform.deliveries.outbox import Outbox
from app.platform.observability.metrics import Sample
from app.tables import all_tables

KINDS = tuple(map(DeliveryKind, ("order", "change")))
NONE = {(status.value, str(kind)): 0 for status, kind in product(DeliveryStatus, KINDS)}
NOT_OVERDUE = {(str(kind),): 0 for kind in KINDS}


@pytest.fixture
def clock() -> FakeClock:
    """The clock of the metrics and the dispatcher."""
    return FakeClock()


async def stored(database: Database, number: str) -> Order:
    """Store and return a new order with this number."""
    store = OrderStore(database, FakeClock())
    fields = priced([Item("A", Decimal("2.50"), rate=Decimal(5))], "AED", number=number)
    await store.save(read_order(json.dumps(fields).encode()))
    order = await store.by_number(number)
    assert order is not None
    return order


def exported(samples: Iterable[Sample]) -> dict[str, dict[tuple[str, ...], float]]:
    """Return metric values by name and labels."""
    values: dict[str, dict[tuple[str, ...], float]] = {}
    for family, labels, number in samples:
        values.setdefault(family.name, {})[labels] = number
    return values


async def test_deliveries_are_counted_by_status_and_attempts_by_outcome(
    database: Database, clock: FakeClock
) -> None:
    """One delivered, one failed; one refused and one unanswered are pending."""
    outbox = Outbox(database, FakeDatabaseClock(clock))
    outbox_metrics = PolledSamples(partial(outbox.samples, clock, KINDS))
    assert exported(outbox_metrics.metrics_samples()) == {}
    await outbox_metrics.refresh()
    assert exported(outbox_metrics.metrics_samples())["majlis_deliveries"] == NONE
    script = [answers(200), answers(410), answers(500), cut_before_answer]
    async with (
        Receiver(*script) as receiver,
        Dispatcher(
            outbox, DeliveryKind("order"), WebhookSender(receiver.url), clock, lambda: 0.5
        ) as dispatcher,
    ):
        for number in range(len(script)):
            await dispatcher.push(message_of(await stored(database, f"WH-{number}")))
        attempts = exported(dispatcher.metrics_samples())
    await outbox_metrics.refresh()
    assert exported(outbox_metrics.metrics_samples()) == {
        "majlis_deliveries": NONE
        | {("pending", "order"): 2, ("delivered", "order"): 1, ("failed", "order"): 1},
        "majlis_delivery_overdue_seconds": NOT_OVERDUE,
    }
    assert attempts == {
        "majlis_delivery_attempts": {
            ("delivered", "order"): 1,
            ("refused", "order"): 2,
            ("unanswered", "order"): 1,
        }
    }
    clock.move(timedelta(seconds=65))
    assert exported(outbox_metrics.metrics_samples())["majlis_delivery_overdue_seconds"] == (
        NOT_OVERDUE | {("order",): 60}
    )


async def test_what_was_delivered_is_never_overdue(database: Database, clock: FakeClock) -> None:
    """Only pending deliveries can be overdue."""
    outbox = Outbox(database, FakeDatabaseClock(clock))
    outbox_metrics = PolledSamples(partial(outbox.samples, clock, KINDS))
    async with (
        Receiver() as receiver,
        Dispatcher(outbox, DeliveryKind("order"), WebhookSender(receiver.url), clock) as dispatcher,
    ):
        await dispatcher.push(message_of(await stored(database, "WH-1")))
    clock.move(timedelta(days=1))
    await outbox_metrics.refresh()
    assert exported(outbox_metrics.metrics_samples()) == {
        "majlis_deliveries": NONE | {("delivered", "order"): 1},
        "majlis_delivery_overdue_seconds": NOT_OVERDUE,
    }


async def test_counting_uses_an_index(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Bodies are large and delivered ones are kept, so counting must not read the rows."""
    file = tmp_path_factory.mktemp("outbox") / "majlis.db"
    async with (
        Database(f"sqlite:///{file}", tables=all_tables) as database,
        database.reading() as connection,
    ):
        plan = await connection.execute(
            text(
                "EXPLAIN QUERY PLAN"
                " SELECT kind, status, count(*) FROM deliveries GROUP BY kind, status"
            )
        )
        assert "COVERING INDEX ix_deliveries_status" in str(plan.all())


async def test_nothing_is_exported_while_the_database_is_unavailable(
    postgresql: PostgreSQL, clock: FakeClock
) -> None:
    """A stale value would hide the failure."""
    async with Database(postgresql.new_database(), tables=all_tables) as database:
        await database.upgrade()
        outbox_metrics = PolledSamples(partial(Outbox(database).samples, clock, KINDS))
        await outbox_metrics.refresh()
        before = exported(outbox_metrics.metrics_samples())
        postgresql.stop()
        try:
            await outbox_metrics.refresh()
            during = exported(outbox_metrics.metrics_samples())
            away = exported(database.metrics_samples())
        finally:
            postgresql.start()
        await outbox_metrics.refresh()
        assert (during, exported(outbox_metrics.metrics_samples())) == ({}, before)
        assert away["majlis_store_away"] == {("database",): 1}
        assert exported(database.metrics_samples())["majlis_store_away"] == {("database",): 0}
