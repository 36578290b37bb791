"""Retention: leads are deleted after the configured number of days."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

import pytest
from contract.visitor import NOW, FakeClock
from gulf import SLUGS
from sqlalchemy import text

from app.features.leads.model import Submission
from app.features.leads.retention import CATCH_UP_EVERY, Retention
from app.features.leads.store import LeadStore
from app.features.leads.submission import validate_lead
from app.platform.database.database import Database
from app.platform.database.seen_clock import hourly
from app.tables import all_tables

DAY = timedelta(days=1)


class Ticks:
    """A monotonic clock that changes only when the test moves it."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Return the current seconds."""
        return self.now


@pytest.fixture
def clock() -> FakeClock:
    """The wall clock of the service."""
    return FakeClock()


@pytest.fixture
def ticks() -> Ticks:
    """The monotonic clock of the service."""
    return Ticks()


async def add_leads(store: LeadStore, *ages: float) -> None:
    """Store leads with these ages in days."""
    for age in ages:
        lead = validate_lead({"email": f"{age}@example.test"}, SLUGS)
        await store.add(Submission(f"lead-{age}", lead, NOW - age * DAY))


async def stored_ids(store: LeadStore) -> list[str]:
    """Return the ids of the stored leads, oldest first."""
    return [stored.id async for stored in store.all()]


@pytest.mark.parametrize(("days", "left"), [(40, 3), (30, 2), (29, 2)])
async def test_older_leads_are_deleted(
    database: Database, clock: FakeClock, days: int, left: int
) -> None:
    """Younger ones are not, nor those exactly as old."""
    store = LeadStore(database)
    await add_leads(store, 0, 29, 30.5)
    assert await Retention(days, store, clock).delete_due() == 3 - left
    assert await store.count() == left


async def test_a_schema_mismatch_is_logged_and_does_not_stop_retention(
    database: Database, migrated_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A newer version may have migrated the database."""
    stop = asyncio.Event()

    def stopping() -> datetime:
        stop.set()
        return NOW

    async with database.writing() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    async with Database(migrated_url, tables=all_tables) as other:
        retention = Retention(1, LeadStore(other), stopping)
        await hourly(other, stopping, retention.delete_due, "leads")(stop)
    assert "Cannot delete leads" in caplog.text


async def test_a_clock_that_jumps_ahead_deletes_one_day_of_leads(
    database: Database, clock: FakeClock, ticks: Ticks, caplog: pytest.LogCaptureFixture
) -> None:
    """The others are kept until the clock is right again, and a warning is logged."""
    store = LeadStore(database)
    await add_leads(store, 29.5, 29, 20, 10, 0)
    retention = Retention(30, store, clock, ticks)
    clock.move(365 * DAY)
    assert [await retention.delete_due() for _ in range(5)] == [2, 0, 0, 0, 0]
    assert "majlis leads purge --older-than 30d" in caplog.text
    assert caplog.text.count("may have jumped") == 1
    clock.move(-365 * DAY)
    assert await retention.delete_due() == 0
    assert await stored_ids(store) == ["lead-20", "lead-10", "lead-0"]


async def test_a_clock_that_jumps_repeatedly_deletes_no_more(
    database: Database, clock: FakeClock, ticks: Ticks
) -> None:
    """According to the monotonic clock, no time has passed."""
    store = LeadStore(database)
    await add_leads(store, 29, 20, 10, 0)
    retention = Retention(30, store, clock, ticks)
    for _ in range(5):
        clock.move(365 * DAY)
        await retention.delete_due()
    assert await stored_ids(store) == ["lead-20", "lead-10", "lead-0"]


async def test_processes_with_a_wrong_clock_delete_one_day_together(
    database: Database, migrated_url: str, clock: FakeClock
) -> None:
    """Several workers, or one that restarts repeatedly: the state is in the database."""
    store = LeadStore(database)
    await add_leads(store, 29, 20, 10, 0)
    clock.move(365 * DAY)
    async with Database(migrated_url, tables=all_tables) as other:
        for each in 3 * [store, LeadStore(other)]:
            await Retention(30, each, clock).delete_due()
    assert await store.count() == 3


async def test_overdue_leads_are_deleted_twice_as_fast_as_they_become_due(
    database: Database, clock: FakeClock, ticks: Ticks
) -> None:
    """After an outage of days, or with a new setting."""
    store = LeadStore(database)
    await add_leads(store, *(35 - number / 2 for number in range(14)))
    retention = Retention(30, store, clock, ticks)
    rounds = 0
    while not rounds or await store.count(before=clock.now - 30 * DAY):
        await retention.delete_due()
        clock.move(CATCH_UP_EVERY)
        ticks.now += CATCH_UP_EVERY.total_seconds()
        rounds += 1
        assert rounds <= 10  # five days are overdue, and each takes half a day
    oldest = await store.oldest()
    assert oldest is None or oldest >= clock.now - 30 * DAY


async def test_a_clock_that_was_set_back_does_not_block_retention(
    database: Database, clock: FakeClock
) -> None:
    """A recorded time in the future is ignored."""
    store = LeadStore(database)
    await add_leads(store, 35, 33)
    assert await store.begin_catch_up(NOW + 365 * DAY, CATCH_UP_EVERY)
    assert await Retention(30, store, clock).delete_due() == 1
    assert not await store.begin_catch_up(NOW, CATCH_UP_EVERY)
