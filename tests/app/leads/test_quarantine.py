"""How many leads wait in quarantine, as metrics tell it."""

from __future__ import annotations

from contract.visitor import NOW
from stores.postgresql import PostgreSQL

from app.database.database import Database
from app.leads.quarantine import Quarantine
from app.leads.sql_store import SqlLeadStore
from app.leads.store import Submission
from app.leads.validation import validate_lead


async def told(quarantine: Quarantine) -> list[float]:
    """What metrics tell after another look."""
    await quarantine.peek()
    return [number for _, _, number in quarantine.metrics_samples()]


async def test_the_leads_in_quarantine_are_told(database: Database) -> None:
    """Those alone, and nothing before the first look."""
    store = SqlLeadStore(database)
    quarantine = Quarantine(store)
    assert list(quarantine.metrics_samples()) == []
    assert await told(quarantine) == [0]
    for number in range(3):
        lead = validate_lead({"email": f"{number}@example.test"})
        await store.add(Submission(f"lead-{number}", lead, NOW, quarantined=number > 0))
    assert await told(quarantine) == [2]
    await store.release(["lead-1"])
    assert await told(quarantine) == [1]


async def test_while_the_database_is_away_nothing_is_told(postgresql: PostgreSQL) -> None:
    """An old figure would say that all is well."""
    async with Database(postgresql.new_database()) as database:
        await database.upgrade()
        quarantine = Quarantine(SqlLeadStore(database))
        assert await told(quarantine) == [0]
        postgresql.stop()
        try:
            assert await told(quarantine) == []
        finally:
            postgresql.start()
        assert await told(quarantine) == [0]
