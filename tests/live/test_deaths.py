"""A process that dies while it pushes: the order still arrives, as the same delivery."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from decimal import Decimal
from pathlib import Path

import pytest
from contract.visitor import FakeClock
from storefront import dying
from storefront.clocks import FakeDatabaseClock
from storefront.pricing import Item, priced
from storefront.receiver import Receiver, answers

from app.database.database import Database
from app.deliveries.delivery import DeliveryStatus
from app.deliveries.dispatcher import WebhookDispatcher
from app.deliveries.outbox import LEASE, Outbox
from app.deliveries.sender import Sender
from app.orders.intake import read_order
from app.orders.store import OrderStore

pytestmark = pytest.mark.slow

TESTS = Path(__file__).parents[1]


async def die_at(place: str, database_url: str, webhook_url: str) -> None:
    """Let a process push order 1 and be killed there."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "storefront.dying", place, database_url, webhook_url, cwd=TESTS
    )
    assert await asyncio.wait_for(process.wait(), 30) == -signal.SIGKILL


@pytest.mark.parametrize(
    ("place", "kept", "sent"),
    [
        pytest.param(dying.BEFORE_COMMIT, 0, 0, id="before the commit"),
        pytest.param(dying.AFTER_COMMIT, 1, 0, id="after the commit"),
        pytest.param(dying.BEFORE_SEND, 1, 0, id="before sending"),
        pytest.param(dying.AFTER_SEND, 1, 1, id="after sending, before marking"),
    ],
)
async def test_what_was_committed_arrives_whoever_dies(
    database: Database, database_url: str, place: str, kept: int, sent: int
) -> None:
    """At least once, under one webhook-id, byte for byte; what was not committed never was."""
    clock = FakeClock()
    written = priced([Item("A", Decimal("3.75"))], "AED", number="WH-1")
    await OrderStore(database, clock).save(read_order(json.dumps(written).encode()))
    outbox = Outbox(database, FakeDatabaseClock(clock))
    async with Receiver(answers(200)) as receiver:
        await die_at(place, database_url, receiver.url)
        assert len(await outbox.newest(5)) == kept
        assert len(receiver.received) == sent
        async with WebhookDispatcher(outbox, Sender(receiver.url), clock) as survivor:
            assert await survivor.deliver_due() == 0
            clock.move(LEASE)
            assert await survivor.deliver_due() == kept
        deliveries = await outbox.newest(5)
    assert [each.status for each in deliveries] == [DeliveryStatus.DELIVERED] * kept
    assert len(receiver.received) == kept + sent
    assert {request.webhook_id for request in receiver.received} == {each.id for each in deliveries}
    assert {request.body for request in receiver.received} == {each.body for each in deliveries}
