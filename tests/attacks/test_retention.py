"""A clock that jumps ahead makes every lead look too old; retention deletes only one day's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from live.server import Server, eventually

from app.features.leads.model import Submission
from app.features.leads.store import LeadStore
from app.features.leads.submission import validate_lead
from app.platform.clock import utc_now
from app.platform.database.database import Database
from app.tables import all_tables

pytestmark = pytest.mark.slow

LEADS = 40
DAYS = 300


async def fill(url: str) -> None:
    """Store one lead per day; all are overdue for a service whose clock is a year ahead."""
    async with Database(url, tables=all_tables) as database:
        store = LeadStore(database)
        for number in range(LEADS):
            at = utc_now() - timedelta(days=365 - number)
            lead = validate_lead({"email": f"{number}@example.test"}, ())
            await store.add(Submission(f"lead-{number}", lead, at))


async def count_leads(url: str) -> int:
    """Return the number of leads."""
    async with Database(url, tables=all_tables) as database:
        return await LeadStore(database).count()


def test_a_clock_that_jumped_ahead_deletes_the_leads_of_one_day(
    start: Callable[..., Server], tmp_path: Path
) -> None:
    """By all workers together; the log names the command that deletes the rest."""
    url = f"sqlite:///{tmp_path}/majlis.db"
    asyncio.run(fill(url))
    server = start("--workers", "2", DATABASE_URL=url, LEAD_RETENTION_DAYS=str(DAYS))
    eventually(lambda: "Deleted" in server.log.read_text())
    assert LEADS - 2 <= asyncio.run(count_leads(url)) < LEADS
    assert f"majlis leads purge --older-than {DAYS}d" in server.log.read_text()
