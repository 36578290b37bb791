"""The notifier: each change is in one delivery of a follower, over all processes and deaths."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from datetime import timedelta

import pytest
from contract.visitor import NOW, FakeClock
from sqlalchemy import select
from storefront.clocks import FakeDatabaseClock, confirm
from storefront.page_changes import changed, record
from storefront.receiver import Receiver, answers

from app.features.changes.followers import (
    ChangeNotifier,
    Follower,
    Notification,
    Positions,
)
from app.features.changes.log import ChangeLog
from app.features.changes.model import ChangePage
from app.platform.database.database import Database
from app.platform.deliveries.delivery import Attempt, DeliveryKind, DeliveryStatus, Lease, Message
from app.platform.deliveries.dispatcher import Dispatcher
from app.platform.deliveries.http_client import WebhookSender
from app.platform.deliveries.outbox import LEASE, Outbox
from app.platform.deliveries.tables import delivery_attempts
from app.tables import all_tables

SENT = Attempt(NOW, NOW, 200, None)
FAILED = Attempt(NOW, NOW, 503, "the receiver answered 503")


async def slugs(page: ChangePage) -> Notification:
    """Tell the last parts of the paths of changes."""
    told = [item.change.path.rpartition("/")[2] for item in page.items]
    return Notification(json.dumps(told).encode(), page.cursor)


def follower(name: str = "reader", at_most: int = 3, collects: int = 0) -> Follower:
    """Return a follower."""
    seconds = timedelta(seconds=collects)
    return Follower(name, name, DeliveryKind("change"), at_most, slugs, seconds)


@pytest.fixture
def clock() -> FakeClock:
    """The clock of all processes and of the database."""
    return FakeClock()


@pytest.fixture
def outbox(database: Database, clock: FakeClock) -> Outbox:
    """The outbox."""
    return Outbox(database, FakeDatabaseClock(clock))


class Site:
    """A notifier, and what it has put into the outbox."""

    def __init__(
        self, database: Database, clock: FakeClock, followers: Sequence[Follower] = ()
    ) -> None:
        self.outbox = Outbox(database, FakeDatabaseClock(clock))
        self.notifier = ChangeNotifier(database, self.outbox, followers or [follower()], clock)

    async def told(self) -> list[list[str]]:
        """Return the slugs of all deliveries, oldest first."""
        return [json.loads(each.body) for each in (await self.outbox.newest(99))[::-1]]

    async def finish(self) -> None:
        """Deliver the next delivery."""
        lease = await self.outbox.claim(DeliveryKind("change"))
        assert lease is not None
        await self.outbox.record(lease, SENT, DeliveryStatus.DELIVERED, None)


@pytest.fixture
def site(database: Database, clock: FakeClock) -> Site:
    """A site with one follower."""
    return Site(database, clock)


async def test_a_new_follower_is_told_of_changes_from_then_on(
    database: Database, site: Site
) -> None:
    """Not of those before; and of each only once."""
    await record(database, changed("before"))
    assert await site.notifier.notify() == 0
    await record(database, changed("a"), changed("b"))
    assert [await site.notifier.notify(), await site.notifier.notify()] == [1, 0]
    assert await site.told() == [["a", "b"]]


async def test_changes_that_retention_has_deleted_are_passed_over(
    database: Database, site: Site
) -> None:
    """The position of the follower advances, so that the log is not read for them again."""
    await site.notifier.notify()
    await record(database, changed("a"), changed("b"))
    log = ChangeLog(database)
    newest = (await log.head()).last
    await log.purge(NOW + timedelta(days=1), 10)
    assert await site.notifier.notify() == 0
    assert await Positions(database).of("reader", newest=0) == newest


async def test_deliveries_are_bounded_and_in_order(
    database: Database, site: Site, clock: FakeClock
) -> None:
    """While one is pending, further changes wait, and then become one delivery."""
    await site.notifier.notify()
    await record(database, *map(changed, "abcd"))
    await site.notifier.notify()
    await record(database, changed("e"))
    assert await site.notifier.notify() == 0
    clock.move(timedelta(seconds=1))
    await site.finish()
    assert await site.notifier.notify() == 1
    assert await site.told() == [["a", "b", "c"], ["d", "e"]]


async def test_of_several_processes_one_tells_of_a_change(
    migrated_url: str, database: Database, clock: FakeClock
) -> None:
    """Also if they all read the same position."""
    async with Database(migrated_url, tables=all_tables) as other:
        sites = [Site(each, clock) for each in [database, other] * 4]
        for number in range(5):
            await asyncio.gather(*(site.notifier.notify() for site in sites))
            await record(database, changed(f"page-{number}"))
            clock.move(timedelta(seconds=1))
            opened = await asyncio.gather(*(site.notifier.notify() for site in sites))
            assert sum(opened) == 1
            await sites[0].finish()
    assert await sites[0].told() == [[f"page-{number}"] for number in range(5)]


async def test_a_process_that_dies_before_the_commit_has_told_nothing(
    database: Database, site: Site, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The position advances only with the delivery, so that another process tells the same."""
    await site.notifier.notify()
    await record(database, changed("a"))

    async def die(*_: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as dying:
        dying.setattr(site.outbox, "add", die)
        with pytest.raises(ZeroDivisionError):
            await site.notifier.notify()
    assert await site.told() == []
    survivor = Site(database, clock)
    assert await survivor.notifier.notify() == 1
    assert await survivor.told() == [["a"]]


async def test_a_process_that_dies_while_sending_is_replaced_after_its_lease(
    database: Database, site: Site, clock: FakeClock
) -> None:
    """The same delivery is sent again, before later ones."""
    await site.notifier.notify()
    await record(database, changed("a"))
    await site.notifier.notify()
    dead = await site.outbox.claim(DeliveryKind("change"))
    assert dead is not None
    await record(database, changed("b"))
    async with Receiver(answers(200)) as receiver:
        sender = WebhookSender(receiver.url)
        async with Dispatcher(site.outbox, DeliveryKind("change"), sender, clock) as dispatcher:
            assert await dispatcher.deliver_due() == await site.notifier.notify() == 0
            clock.move(LEASE)
            assert await dispatcher.deliver_due() == await site.notifier.notify() == 1
            assert await dispatcher.deliver_due() == 1
    assert [json.loads(each.body) for each in receiver.received] == [["a"], ["b"]]
    assert receiver.received[0].webhook_id == dead.delivery.id


async def test_a_follower_that_fails_holds_up_no_other(
    database: Database, clock: FakeClock
) -> None:
    """Each has its own position and its own deliveries."""
    site = Site(database, clock, [follower("dead"), follower("alive")])
    await site.notifier.notify()
    for slug in "ab":
        await record(database, changed(slug))
        await site.notifier.notify()
        while lease := await site.outbox.claim(DeliveryKind("change")):
            is_dead = lease.delivery.subject == "dead"
            status = DeliveryStatus.PENDING if is_dead else DeliveryStatus.DELIVERED
            wait = timedelta(hours=1) if is_dead else None
            await site.outbox.record(lease, FAILED if is_dead else SENT, status, wait)
        clock.move(timedelta(seconds=1))
    told = [(each.subject, json.loads(each.body)) for each in await site.outbox.newest(9)]
    assert sorted(told) == [("alive", ["a"]), ("alive", ["b"]), ("dead", ["a"])]


async def test_a_full_delivery_is_sent_at_once(database: Database, clock: FakeClock) -> None:
    """What does not fit is collected again."""
    site = Site(database, clock, [follower(at_most=2, collects=10)])
    await site.notifier.notify()
    await record(database, changed("a"), changed("b"), changed("c"))
    assert await site.notifier.notify() == 1
    await site.finish()
    assert await site.notifier.notify() == 0
    clock.move(timedelta(seconds=10))
    assert await site.notifier.notify() == 1
    assert await site.told() == [["a", "b"], ["c"]]


async def test_old_deliveries_are_deleted_with_their_attempts(
    database: Database, site: Site, clock: FakeClock
) -> None:
    """With the next one, once they are as old as changes may be; those of orders are kept."""
    await site.notifier.notify()
    order = Message(kind=DeliveryKind("order"), subject_id="1", subject="WH-1", body=b"[]")
    opened = await site.outbox.open(order)
    assert isinstance(opened, Lease)
    await site.outbox.record(opened, SENT, DeliveryStatus.DELIVERED, None)
    for slug, days in (("a", 80), ("b", 11), ("c", 0)):
        await record(database, changed(slug))
        await site.notifier.notify()
        await site.finish()
        clock.move(timedelta(days=days))
        await confirm(database, clock())
    assert await site.told() == [[], ["b"], ["c"]]
    async with database.reading() as connection:
        assert len((await connection.execute(select(delivery_attempts))).all()) == 3


async def test_changes_are_collected_for_some_time(database: Database, clock: FakeClock) -> None:
    """Many edits become one delivery; the time starts with the first of them."""
    site = Site(database, clock, [follower(at_most=99, collects=10)])
    await site.notifier.notify()
    for number in range(10):
        await record(database, changed(f"{number}"))
        assert await site.notifier.notify() == 0
        clock.move(timedelta(seconds=1))
    assert await site.notifier.notify() == 1
    assert await site.told() == [[f"{number}" for number in range(10)]]
