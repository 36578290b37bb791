"""The clock by which old rows are deleted: a clock that is far ahead deletes nothing."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from functools import partial

import pytest
from conftest import Visit
from contract.visitor import NOW
from storefront.clocks import FakeDatabaseClock

from app.platform.clock import utc_now
from app.platform.concurrency.background import Component
from app.platform.database.database import Database
from app.platform.database.seen_clock import _delete_hourly, believe, hourly
from app.platform.deliveries.delivery import Attempt, DeliveryKind, DeliveryStatus, Lease, Message
from app.platform.deliveries.outbox import Outbox
from app.services import Services

DAY = timedelta(days=1)


class Deletion:
    """A deletion that counts its calls, by a clock that is ahead of the right one."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.calls = 0
        self.ahead = timedelta()

    def now(self) -> datetime:
        """Return the time that this machine believes it is."""
        return utc_now() + self.ahead

    async def run(self) -> int:
        """Run the task until it has deleted, or not; return how often it did."""
        self.calls, stop = 0, asyncio.Event()

        async def delete_due() -> None:
            self.calls += 1

        def now() -> datetime:
            stop.set()  # the task ends after this time
            return utc_now() + self.ahead

        await hourly(self._database, now, delete_due, "leads")(stop)
        return self.calls


async def believes(database: Database, now: datetime, *, is_confirmed: bool = False) -> bool:
    """Return whether a time is believed."""
    async with database.writing() as connection:
        return await believe(connection, now, is_confirmed=is_confirmed)


async def test_a_clock_far_ahead_deletes_nothing_until_it_is_confirmed(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither later, nor at the next start; the log says what to do. Going back is no problem."""
    deletion = Deletion(database)
    assert await deletion.run() == 1
    deletion.ahead = 800 * DAY
    assert await deletion.run() == await deletion.run() == 0
    assert "No leads are deleted: the clock is more than a day ahead" in caplog.messages[0]
    assert "majlis db believe-clock" in caplog.messages[0]
    deletion.ahead = timedelta()
    assert await deletion.run() == 1
    deletion.ahead = 800 * DAY
    assert await believes(database, deletion.now(), is_confirmed=True)
    assert await deletion.run() == 1


async def test_a_clock_is_compared_with_the_last_time_and_with_that_of_the_server(
    database: Database,
) -> None:
    """A machine that was off for days has to be confirmed, unless PostgreSQL has the same time."""
    now = utc_now()
    assert await believes(database, now - 3 * DAY)
    assert await believes(database, now - 2 * DAY)
    assert await believes(database, now) is database.is_postgresql
    assert not await believes(database, now + 2 * DAY)


async def test_no_delivery_is_deleted_by_a_clock_far_ahead(database: Database) -> None:
    """Of those that were delivered long ago."""
    now = NOW
    outbox = Outbox(database, FakeDatabaseClock(lambda: now))
    kind = DeliveryKind("order")
    lease = await outbox.open(Message(kind=kind, subject_id="1", subject="1", body=b""))
    assert isinstance(lease, Lease)
    await outbox.record(lease, Attempt(now, now, 200, None), DeliveryStatus.DELIVERED, None)
    assert await believes(database, now, is_confirmed=True)
    now += 800 * DAY

    async def left() -> int:
        async with database.writing() as connection:
            await outbox.purge(connection, kind, "1", 90 * DAY, at_most=10)
        return len(await outbox.newest(10))

    assert await left() == 1
    assert await believes(database, now, is_confirmed=True)
    assert await left() == 0


@pytest.fixture
def all_deletions(visit: Visit) -> Services:
    """The services of an application that deletes all that can be deleted by its age."""
    visitor = visit(
        {},
        lead_retention_days=90,
        lead_anonymise_days=30,
        audience=True,
        smtp_url="smtp://127.0.0.1:9",
        newsletter_from="a@example.com",
        leads_email_to="a@example.com",
    )
    services: Services = visitor.quart.extensions["majlis"]
    return services


def test_everything_that_is_deleted_by_its_age_asks_the_clock(all_deletions: Services) -> None:
    """Each of these tasks is one of `hourly`."""
    guarded = {
        name
        for component in all_deletions.all(Component)
        for name, work in (*component.tasks(), *component.tasks_of_one_process())
        if isinstance(work, partial) and work.func is _delete_hourly
    }
    expected = {"retention", "anonymise", "changes_retention", "audience_retention"}
    assert guarded == expected | {"newsletter_requests"}
