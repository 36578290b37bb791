"""A hanging receiver or a wrong clock: all other orders are delivered, and none twice."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal

import pytest
from contract.visitor import FakeClock
from live.orders import aside
from live.server import Server, client_of, eventually
from storefront.pricing import Item, priced
from storefront.receiver import Exchange, Receiver, answers
from storefront.shop import BEARER, TOKEN
from stores.postgresql import PostgreSQL

from app.features.orders.intake import read_order
from app.features.orders.order import Order
from app.features.orders.partner import message_of
from app.features.orders.store import OrderStore
from app.platform.clock import utc_now
from app.platform.database.database import Database
from app.platform.deliveries.delivery import Attempt, DeliveryKind, DeliveryStatus, Lease
from app.platform.deliveries.dispatcher import Dispatcher
from app.platform.deliveries.http_client import WebhookSender
from app.platform.deliveries.outbox import DatabaseClock, Outbox
from app.tables import all_tables

pytestmark = pytest.mark.slow

ORDERS = 45
HANGING = range(0, ORDERS, 10)


async def store_order(database: Database, number: int) -> Order:
    """Store an order with this number, and return it."""
    written = priced([Item("A", Decimal("2.50"))], "AED", number=f"WH-{number}")
    orders = OrderStore(database, utc_now)
    await orders.save(read_order(json.dumps(written).encode()))
    order = await orders.by_number(f"WH-{number}")
    assert order is not None
    return order


async def fill(database: Database, outbox: Outbox) -> None:
    """Create deliveries that are all due."""
    for number in range(ORDERS):
        order = await store_order(database, number)
        claim = await outbox.open(message_of(order))
        assert isinstance(claim, Lease)
        failed = Attempt(utc_now(), utc_now(), 500, "the receiver answered 500")
        await outbox.record(claim, failed, DeliveryStatus.PENDING, timedelta())


async def one_in_ten_hangs(exchange: Exchange) -> None:
    """Never answer some orders, and accept the others at once."""
    number = json.loads(exchange.request.body)["data"]["order"]["number"]
    if int(number.removeprefix("WH-")) in HANGING:
        await exchange.hang()
    await answers(200)(exchange)


async def test_hanging_deliveries_do_not_delay_others(
    start: Callable[..., Server], postgresql: PostgreSQL
) -> None:
    """All others arrive before the first hanging one times out, after 15 seconds."""
    url = postgresql.new_database()
    async with Database(url, tables=all_tables) as database, Receiver(one_in_ten_hangs) as receiver:
        await database.upgrade()
        outbox = Outbox(database)
        await fill(database, outbox)
        settings = {"DATABASE_URL": url, "ERP_WEBHOOK_URL": receiver.url}
        await aside(lambda: start(**settings, ERP_PULL_API_TOKEN=TOKEN))
        await aside(lambda: eventually(lambda: len(receiver.received) >= ORDERS))
        assert receiver.at_once >= len(HANGING)
        assert max(Counter(each.webhook_id for each in receiver.received).values()) == 1
        delivered = await outbox.newest(ORDERS, DeliveryStatus.DELIVERED)
        assert len(delivered) >= ORDERS - len(HANGING) - 8  # the last few are being recorded


async def test_an_instance_with_a_fast_clock_respects_the_leases_of_others(
    start: Callable[..., Server], postgresql: PostgreSQL
) -> None:
    """The clock is 90 seconds ahead, longer than a lease; only PostgreSQL's clock counts."""
    url = postgresql.new_database()
    ahead = FakeClock(utc_now() + timedelta(seconds=90))
    checked = asyncio.Event()

    async def hold(exchange: Exchange) -> None:
        """Answer once the test has checked the other instance."""
        await checked.wait()
        await answers(200)(exchange)

    async with Database(url, tables=all_tables) as database, Receiver(hold) as receiver:
        await database.upgrade()
        order = await store_order(database, 1)
        settings = {"DATABASE_URL": url, "ERP_WEBHOOK_URL": receiver.url}
        server = await aside(lambda: start(**settings, ERP_PULL_API_TOKEN=TOKEN))
        pushing = asyncio.create_task(aside(lambda: push(server, order.id)))
        await aside(lambda: eventually(lambda: receiver.received))
        try:
            outbox = Outbox(database, DatabaseClock(ahead))
            sender = WebhookSender(receiver.url)
            async with Dispatcher(outbox, DeliveryKind("order"), sender, ahead) as other:
                assert await other.deliver_due() == 0
            assert len(receiver.received) == 1
        finally:
            checked.set()
        assert await pushing == 200


def push(server: Server, order_id: int) -> int:
    """Push an order, and return the status."""
    with client_of(server.url, headers=BEARER) as client:
        return client.post(f"/api/erp/orders/{order_id}/push").status_code
