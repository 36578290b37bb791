"""The outbox serves several kinds of deliveries; deliveries of some subjects are in order."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from contract.visitor import NOW, FakeClock
from live.server import until
from sqlalchemy import update
from sqlalchemy.exc import IntegrityError
from storefront.clocks import FakeDatabaseClock
from storefront.receiver import Exchange, Receiver, answers

from app.platform.database.database import Database
from app.platform.deliveries.delivery import (
    Attempt,
    AttemptResult,
    Delivery,
    DeliveryKind,
    DeliveryStatus,
    Lease,
    Message,
)
from app.platform.deliveries.dispatcher import AT_ONCE, DELAYS, Dispatcher
from app.platform.deliveries.http_client import WebhookSender
from app.platform.deliveries.outbox import LEASE, Outbox
from app.platform.deliveries.tables import deliveries
from app.tables import all_tables

FAILED = Attempt(NOW, NOW, 500, "the receiver answered 500")
SENT = Attempt(NOW, NOW, 200, None)


@pytest.fixture
def clock() -> FakeClock:
    """The clock of the database and the dispatchers."""
    return FakeClock()


@pytest.fixture
def outbox(database: Database, clock: FakeClock) -> Outbox:
    """An empty outbox."""
    return Outbox(database, FakeDatabaseClock(clock))


def change(body: bytes, subject_id: str = "reader") -> Message:
    """Return a message of an ordered subject."""
    kind = DeliveryKind("change")
    return Message(kind=kind, subject_id=subject_id, subject="a", body=body, ordered=True)


def order(number: int) -> Message:
    """Return a message about an order."""
    name = f"WH-{number}"
    return Message(
        kind=DeliveryKind("order"), subject_id=str(number), subject=name, revision=1, body=b"{}"
    )


async def claimed(outbox: Outbox) -> bytes | None:
    """Lease the next change and return its body."""
    lease = await outbox.claim(DeliveryKind("change"))
    return lease.delivery.body if lease else None


async def claim(outbox: Outbox) -> Lease:
    """Lease the next change, of which there is one."""
    lease = await outbox.claim(DeliveryKind("change"))
    assert lease is not None
    return lease


async def test_a_kind_whose_receiver_hangs_delays_no_other_kind(
    outbox: Outbox, clock: FakeClock
) -> None:
    """Each has its own slots, and finds its own deliveries, although all share one table."""
    for number in range(AT_ONCE + 1):
        await outbox.open_due(order(number))
    await outbox.open_due(change(b"{}"))
    released = asyncio.Event()

    async def hang(exchange: Exchange) -> None:
        await released.wait()
        await answers(200)(exchange)

    async with Receiver(hang) as dead, Receiver() as receiver:
        orders = Dispatcher(outbox, DeliveryKind("order"), WebhookSender(dead.url), clock)
        changes = Dispatcher(outbox, DeliveryKind("change"), WebhookSender(receiver.url), clock)
        async with orders, changes:
            hanging = asyncio.create_task(orders.deliver_due())
            await until(lambda: len(dead.received) == AT_ONCE)
            assert await changes.deliver_due() == 1
            pending = await outbox.newest(20, DeliveryStatus.PENDING)
            released.set()
            await hanging
    assert len(receiver.received) == 1
    assert [delivery.kind for delivery in pending] == [DeliveryKind("order")] * (AT_ONCE + 1)


async def test_deliveries_of_an_ordered_subject_are_sent_one_at_a_time(
    outbox: Outbox, clock: FakeClock
) -> None:
    """A later one waits for the retries of an earlier one; other subjects do not wait."""
    for body in (b"1", b"2"):
        await outbox.open_due(change(body))
        clock.move(timedelta(seconds=1))
    first = await claim(outbox)
    assert first.delivery.body == b"1"
    assert await claimed(outbox) is None
    await outbox.record(first, FAILED, DeliveryStatus.PENDING, DELAYS[0])
    assert await claimed(outbox) is None
    await outbox.open_due(change(b"3", subject_id="another reader"))
    assert await claimed(outbox) == b"3"
    clock.move(DELAYS[0])
    again = await claim(outbox)
    assert again.delivery.body == b"1"
    await outbox.record(again, SENT, DeliveryStatus.DELIVERED, None)
    assert await claimed(outbox) == b"2"


async def test_a_replay_does_not_join_a_delivery_in_progress(
    outbox: Outbox, clock: FakeClock
) -> None:
    """Not even after its lease has expired, because its receiver may still be at work."""
    old = await outbox.open_due(change(b"old"))
    lease = await claim(outbox)
    await outbox.record(lease, FAILED, DeliveryStatus.FAILED, None)
    clock.move(timedelta(seconds=1))
    await outbox.open_due(change(b"new"))
    assert await claimed(outbox) == b"new"
    await outbox.replay(old.id)
    assert await claimed(outbox) is None
    clock.move(LEASE)
    lease = await claim(outbox)
    assert lease.delivery.body == b"new"
    await outbox.record(lease, SENT, DeliveryStatus.DELIVERED, None)
    assert await claimed(outbox) == b"old"


async def test_processes_never_lease_an_ordered_subject_twice(
    migrated_url: str, database: Database, clock: FakeClock
) -> None:
    """The database refuses the second lease, whatever the processes have read before."""
    outbox = Outbox(database, FakeDatabaseClock(clock))
    for body in (b"1", b"2"):
        await outbox.open_due(change(body))
    async with Database(migrated_url, tables=all_tables) as other:
        outboxes = [outbox, Outbox(other, FakeDatabaseClock(clock))] * 5
        leases = await asyncio.gather(*(each.claim(DeliveryKind("change")) for each in outboxes))
    assert len([lease for lease in leases if lease]) == 1
    with pytest.raises(IntegrityError):
        async with database.writing() as connection:
            await connection.execute(update(deliveries).values(lease="a second one"))


async def test_messages_without_a_revision_do_not_join(outbox: Outbox) -> None:
    """Only a revision that is pending already is not stored again."""
    one, two = await outbox.open_due(change(b"1")), await outbox.open_due(change(b"2"))
    assert one.id != two.id
    assert await outbox.open_due(order(1)) == await outbox.open_due(order(1))


async def test_a_sender_may_refuse_for_good(
    outbox: Outbox, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    """Then there is no further attempt, and the log names the kind and the subject."""

    class Refusing:
        async def send(self, delivery: Delivery, at: object) -> AttemptResult:
            return AttemptResult(422, "the receiver does not want it", final=True)

        async def aclose(self) -> None:
            pass

    await outbox.open_due(change(b"{}"))
    async with Dispatcher(outbox, DeliveryKind("change"), Refusing(), clock) as dispatcher:
        assert await dispatcher.deliver_due() == 1
    (delivery,) = await outbox.newest(5, kind=DeliveryKind("change"))
    assert (delivery.status, delivery.attempts) == (DeliveryStatus.FAILED, 1)
    assert f"{delivery.id} (change a): the receiver does not want it" in caplog.text
