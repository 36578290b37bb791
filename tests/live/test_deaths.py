"""A process that dies during a push: the order is still delivered, as the same delivery."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import pytest
from contract.visitor import FakeClock
from storefront import dying
from storefront.clocks import FakeDatabaseClock
from storefront.pricing import Item, priced
from storefront.receiver import Receiver, answers

from app.features.orders.intake import read_order
from app.features.orders.store import OrderStore
from app.platform.database.database import Database
from app.platform.deliveries.delivery import DeliveryKind, DeliveryStatus
from app.platform.deliveries.dispatcher import Dispatcher
from app.platform.deliveries.http_client import WebhookSender
from app.platform.deliveries.outbox import LEASE, Outbox

pytestmark = pytest.mark.slow

TESTS = Path(__file__).parents[1]


async def die_at(point: str, database_url: str, webhook_url: str, time: datetime) -> None:
    """Run a process that pushes order 1 and is killed at a point."""
    command = (sys.executable, "-m", "storefront.dying")
    arguments = (point, database_url, webhook_url, time.isoformat())
    process = await asyncio.create_subprocess_exec(*command, *arguments, cwd=TESTS)
    assert await asyncio.wait_for(process.wait(), 30) == -signal.SIGKILL


@pytest.mark.parametrize(
    ("point", "stored", "sent"),
    [
        pytest.param(dying.BEFORE_COMMIT, 0, 0, id="before the commit"),
        pytest.param(dying.AFTER_COMMIT, 1, 0, id="after the commit"),
        pytest.param(dying.BEFORE_SEND, 1, 0, id="before sending"),
        pytest.param(dying.AFTER_SEND, 1, 1, id="after sending, before marking"),
    ],
)
async def test_a_committed_delivery_arrives_after_a_crash(
    database: Database, migrated_url: str, point: str, stored: int, sent: int
) -> None:
    """At least once, with the same webhook-id and body; an uncommitted one is never sent."""
    clock = FakeClock()
    written = priced([Item("A", Decimal("3.75"))], "AED", number="WH-1")
    await OrderStore(database, clock).save(read_order(json.dumps(written).encode()))
    outbox = Outbox(database, FakeDatabaseClock(clock))
    async with Receiver(answers(200)) as receiver:
        await die_at(point, migrated_url, receiver.url, clock())
        assert len(await outbox.newest(5)) == stored
        assert len(receiver.received) == sent
        sender = WebhookSender(receiver.url)
        async with Dispatcher(outbox, DeliveryKind("order"), sender, clock) as survivor:
            assert await survivor.deliver_due() == 0
            clock.move(LEASE)
            assert await survivor.deliver_due() == stored
        deliveries = await outbox.newest(5)
    ids, bodies = ({delivery.id for delivery in deliveries}, {item.body for item in deliveries})
    assert [delivery.status for delivery in deliveries] == [DeliveryStatus.DELIVERED] * stored
    assert len(receiver.received) == stored + sent
    assert {request.webhook_id for request in receiver.received} == ids
    assert {request.body for request in receiver.received} == bodies
