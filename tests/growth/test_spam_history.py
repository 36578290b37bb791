"""What the spam filter asks of earlier leads costs the same after a wave of spam."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import cast

from contract.visitor import NOW
from sqlalchemy import Connection, insert
from stores.migrated import migrated_sqlite

from app.features.leads.model import Fingerprint
from app.features.leads.spam_filter import HourlyLimits, SpamHistory
from app.features.leads.tables import lead_assessments, leads
from app.platform.database.database import Database
from app.tables import all_tables


def test_a_wave_of_spam_does_not_slow_the_filter_down(tmp_path: Path) -> None:
    """Counts end at the limits, and what was released is found among released leads only.

    Counted are the steps of SQLite's virtual machine.
    """
    url = migrated_sqlite(tmp_path / "majlis.db")
    few, many = (asyncio.run(_steps(url, number)) for number in (range(400), range(400, 4_000)))
    assert few > 100
    assert many <= 1.2 * few


async def _steps(url: str, more: Sequence[int]) -> int:
    """Store more spam of one domain within an hour; return the steps to ask for its precedents."""
    asked, steps = Fingerprint("sender", "domain", "network"), 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    def watch(connection: Connection) -> None:
        driver = cast(sqlite3.Connection, connection.connection.driver_connection)
        driver.set_progress_handler(count, 1)

    async with Database(url, tables=all_tables) as database:
        async with database.writing() as connection:
            await connection.execute(insert(leads), [_lead(number) for number in more])
            await connection.execute(
                insert(lead_assessments), [_assessment(number) for number in more]
            )
        history = SpamHistory(database)
        await history.precedents(asked, NOW, HourlyLimits())
        await database.read_group(watch)
        steps = 0
        precedents = await history.precedents(asked, NOW, HourlyLimits())
        assert (precedents.network, precedents.accepted) == (20, 200)
    return steps


def _lead(number: int) -> dict[str, object]:
    address = f"a{number}@x.test"
    return {
        "id": f"lead-{number}",
        "received_at": NOW - timedelta(minutes=30),
        "email": address,
        "email_folded": address,
        "quarantined": number >= 300,
        "digest": str(number),
    }


def _assessment(number: int) -> dict[str, object]:
    return {
        "lead_id": f"lead-{number}",
        "received_at": NOW - timedelta(minutes=30),
        "score": 100,
        "reasons": "network:100",
        "sender": f"sender-{number}",
        "domain": "domain",
        "network": "network",
    }
