"""Retention: leads go when they have been kept for as many days as the operator said."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from contract.visitor import NOW, FakeClock
from sqlalchemy import text

from app.database.database import Database
from app.leads.retention import CATCH_UP_EVERY, Retention
from app.leads.sql_store import SqlLeadStore
from app.leads.store import Submission
from app.leads.validation import validate_lead

DAY = timedelta(days=1)


class Ticks:
    """A monotonic clock that stands until the test moves it."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """The seconds it shows."""
        return self.now


@pytest.fixture
def clock() -> FakeClock:
    """The wall clock of the service."""
    return FakeClock()


@pytest.fixture
def ticks() -> Ticks:
    """The monotonic clock of the service."""
    return Ticks()


async def keep(store: SqlLeadStore, *ages: float) -> None:
    """Store leads that are so many days old."""
    for age in ages:
        lead = validate_lead({"email": f"{age}@example.test"})
        await store.add(Submission(f"lead-{age}", lead, NOW - age * DAY))


async def kept(store: SqlLeadStore) -> list[str]:
    """The ids of the leads that are there, oldest first."""
    return [stored.id async for stored in store.all()]


@pytest.mark.parametrize(("days", "left"), [(40, 3), (30, 2), (29, 2)])
async def test_leads_older_than_so_many_days_are_deleted(
    database: Database, clock: FakeClock, days: int, left: int
) -> None:
    """Those that are not stay, also one that is exactly as old."""
    store = SqlLeadStore(database)
    await keep(store, 0, 29, 30.5)
    assert await Retention(days, store, clock).delete_due() == 3 - left
    assert await store.count() == left


async def test_another_schema_is_told_and_ends_nothing(
    database: Database, database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A newer version may have been at work while the database was away."""
    stop = asyncio.Event()

    def stopping() -> object:
        stop.set()
        return NOW

    async with database.writing() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    async with Database(database_url) as other:
        await Retention(1, SqlLeadStore(other), stopping).run(stop)  # type: ignore[arg-type]
    assert "Cannot delete leads" in caplog.text


async def test_a_clock_that_jumps_ahead_costs_one_day_of_leads(
    database: Database, clock: FakeClock, ticks: Ticks, caplog: pytest.LogCaptureFixture
) -> None:
    """The rest is still there when the clock is right again, and the operator was told."""
    store = SqlLeadStore(database)
    await keep(store, 29.5, 29, 20, 10, 0)
    retention = Retention(30, store, clock, ticks)
    clock.move(365 * DAY)
    assert [await retention.delete_due() for _ in range(5)] == [2, 0, 0, 0, 0]
    assert "majlis leads purge --older-than 30d" in caplog.text
    assert caplog.text.count("may have jumped") == 1
    clock.move(-365 * DAY)
    assert await retention.delete_due() == 0
    assert await kept(store) == ["lead-20", "lead-10", "lead-0"]


async def test_a_clock_that_jumps_again_and_again_costs_no_more(
    database: Database, clock: FakeClock, ticks: Ticks
) -> None:
    """By the monotonic clock no time has passed."""
    store = SqlLeadStore(database)
    await keep(store, 29, 20, 10, 0)
    retention = Retention(30, store, clock, ticks)
    for _ in range(5):
        clock.move(365 * DAY)
        await retention.delete_due()
    assert await kept(store) == ["lead-20", "lead-10", "lead-0"]


async def test_processes_that_start_with_a_wrong_clock_cost_one_day_together(
    database: Database, database_url: str, clock: FakeClock
) -> None:
    """Several workers, or one that is started again and again: the database remembers."""
    store = SqlLeadStore(database)
    await keep(store, 29, 20, 10, 0)
    clock.move(365 * DAY)
    async with Database(database_url) as other:
        for each in 3 * [store, SqlLeadStore(other)]:
            await Retention(30, each, clock).delete_due()
    assert await store.count() == 3


async def test_what_is_overdue_by_right_goes_at_twice_the_pace_at_which_it_falls_due(
    database: Database, clock: FakeClock, ticks: Ticks
) -> None:
    """After a service was off for days, or when the setting is new."""
    store = SqlLeadStore(database)
    await keep(store, *(35 - number / 2 for number in range(14)))
    retention = Retention(30, store, clock, ticks)
    rounds = 0
    while not rounds or await store.count(before=clock.now - 30 * DAY):
        await retention.delete_due()
        clock.move(CATCH_UP_EVERY)
        ticks.now += CATCH_UP_EVERY.total_seconds()
        rounds += 1
        assert rounds < 20
    oldest = await store.oldest()
    assert oldest is None or oldest >= clock.now - 30 * DAY


async def test_a_clock_that_was_set_back_does_not_hold_up_retention(
    database: Database, clock: FakeClock
) -> None:
    """What was noted in a wrong future holds for nobody."""
    store = SqlLeadStore(database)
    await keep(store, 35, 33)
    assert await store.begin_catch_up(NOW + 365 * DAY, CATCH_UP_EVERY)
    assert await Retention(30, store, clock).delete_due() == 1
    assert not await store.begin_catch_up(NOW, CATCH_UP_EVERY)
