"""Retention: leads go when they have been kept for as many days as the operator said."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from app.database.database import Database
from app.leads.reading import read_lead
from app.leads.retention import keep_for
from app.leads.sql_store import SqlLeadStore
from app.leads.store import Submission

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


async def one_round(days: int | None, store: SqlLeadStore) -> None:
    """What the service does once an hour."""
    stop = asyncio.Event()

    def clock() -> datetime:
        stop.set()
        return NOW

    await keep_for(days, store, clock, stop)


@pytest.mark.parametrize(("days", "kept"), [(None, 3), (30, 2), (1, 1)])
async def test_leads_older_than_so_many_days_are_deleted(
    database: Database, days: int | None, kept: int
) -> None:
    """Without a number all stay."""
    store = SqlLeadStore(database)
    for age in (0, 29, 31):
        lead = read_lead({"email": f"{age}@example.test"})
        await store.add(Submission(f"lead-{age}", lead, NOW - timedelta(days=age)))
    await one_round(days, store)
    assert await store.count() == kept


async def test_another_schema_is_told_and_ends_nothing(
    database: Database, database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A newer version may have been at work while the database was away."""
    async with database.writing() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    async with Database(database_url) as other:
        await one_round(1, SqlLeadStore(other))
    assert "cannot be deleted" in caplog.text
