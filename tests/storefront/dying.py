"""A process that pushes order 1 and kills itself at some point: `python -m storefront.dying`.

Arguments: the point at which it dies, the database URL, the webhook URL, the time.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from datetime import datetime

from sqlalchemy import event
from storefront.clocks import FakeDatabaseClock

from app.features.orders.partner import message_of
from app.features.orders.store import OrderStore
from app.platform.database.database import Database
from app.platform.deliveries.delivery import AttemptResult, Delivery, DeliveryKind, Lease, Message
from app.platform.deliveries.dispatcher import Dispatcher
from app.platform.deliveries.http_client import WebhookSender
from app.platform.deliveries.outbox import Outbox
from app.tables import all_tables

BEFORE_COMMIT, AFTER_COMMIT = "before-commit", "after-commit"
BEFORE_SEND, AFTER_SEND = "before-send", "after-send"


def die(*_: object) -> None:
    """Kill the process at once, as by a power failure."""
    os.kill(os.getpid(), signal.SIGKILL)


class DyingSender(WebhookSender):
    """A sender that kills the process just before or after sending."""

    def __init__(self, url: str, point: str) -> None:
        super().__init__(url)
        self._point = point

    async def send(self, delivery: Delivery, at: datetime) -> AttemptResult:
        """Send, and die before or after it if that is the point."""
        if self._point == BEFORE_SEND:
            die()
        result = await super().send(delivery, at)
        if self._point == AFTER_SEND:
            die()
        return result


class DyingOutbox(Outbox):
    """An outbox that kills the process just after the delivery is committed."""

    async def open(self, message: Message, *, again: bool = False) -> Lease | Delivery:
        """Open the delivery, and die."""
        opened = await super().open(message, again=again)
        die()
        return opened


async def push(point: str, database_url: str, webhook_url: str, time: str) -> None:
    """Push order 1, and die at the point."""

    def clock() -> datetime:
        return datetime.fromisoformat(time)

    async with Database(database_url, tables=all_tables) as database:
        order = await OrderStore(database, clock).get(1)
        if point == BEFORE_COMMIT:
            event.listen(database._writing_engine.sync_engine, "commit", die)
        outbox_class = DyingOutbox if point == AFTER_COMMIT else Outbox
        outbox = outbox_class(database, FakeDatabaseClock(clock))
        sender = DyingSender(webhook_url, point)
        async with Dispatcher(outbox, DeliveryKind("order"), sender, clock) as dispatcher:
            await dispatcher.push(message_of(order))


if __name__ == "__main__":
    asyncio.run(push(*sys.argv[1:]))
