"""A process that pushes order 1 and kills itself on the way: `python -m storefront.dying`.

Arguments: where it dies, the database's URL, the webhook's URL.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from datetime import datetime

from contract.visitor import FakeClock
from sqlalchemy import event
from storefront.clocks import FakeDatabaseClock

from app.database.database import Database
from app.deliveries.delivery import AttemptResult, Delivery, Lease
from app.deliveries.dispatcher import WebhookDispatcher
from app.deliveries.outbox import Outbox
from app.deliveries.sender import Sender
from app.orders.order import Order
from app.orders.store import OrderStore

BEFORE_COMMIT, AFTER_COMMIT = "before-commit", "after-commit"
BEFORE_SEND, AFTER_SEND = "before-send", "after-send"


def die(*_: object) -> None:
    """As a machine that loses its power."""
    os.kill(os.getpid(), signal.SIGKILL)


class DyingSender(Sender):
    """Dies just before it sends, or just after."""

    def __init__(self, url: str, place: str) -> None:
        super().__init__(url)
        self._place = place

    async def send(self, webhook_id: str, body: bytes, at: datetime) -> AttemptResult:
        """Send, unless dead."""
        if self._place == BEFORE_SEND:
            die()
        outcome = await super().send(webhook_id, body, at)
        if self._place == AFTER_SEND:
            die()
        return outcome


class DyingOutbox(Outbox):
    """Dies just after the delivery is committed."""

    async def open(self, order: Order, body: bytes) -> Lease | Delivery:
        """Open, and die."""
        opened = await super().open(order, body)
        die()
        return opened


async def push(place: str, database_url: str, webhook_url: str) -> None:
    """Push order 1, up to the place."""
    async with Database(database_url) as database:
        order = await OrderStore(database, FakeClock()).get(1)
        if place == BEFORE_COMMIT:
            event.listen(database._writing_engine.sync_engine, "commit", die)
        clock = FakeClock()
        kind = DyingOutbox if place == AFTER_COMMIT else Outbox
        outbox = kind(database, FakeDatabaseClock(clock))
        async with WebhookDispatcher(outbox, DyingSender(webhook_url, place), clock) as dispatcher:
            await dispatcher.push(order)


if __name__ == "__main__":
    asyncio.run(push(*sys.argv[1:]))
