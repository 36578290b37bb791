"""The metric of quarantined leads."""

from __future__ import annotations

from contract.visitor import NOW
from gulf import SLUGS
from stores.postgresql import PostgreSQL

from app.features.leads.model import Submission
from app.features.leads.store import LeadStore
from app.features.leads.submission import validate_lead
from app.platform.concurrency.background import PolledSamples
from app.platform.database.database import Database
from app.tables import all_tables


async def exported(quarantine: PolledSamples) -> list[float]:
    """Return the exported values after another query."""
    await quarantine.refresh()
    return [number for _, _, number in quarantine.metrics_samples()]


async def test_quarantined_leads_are_counted(database: Database) -> None:
    """No others, and no value before the first query."""
    store = LeadStore(database)
    quarantine = PolledSamples(store.quarantined_samples)
    assert list(quarantine.metrics_samples()) == []
    assert await exported(quarantine) == [0]
    for number in range(3):
        lead = validate_lead({"email": f"{number}@example.test"}, SLUGS)
        await store.add(Submission(f"lead-{number}", lead, NOW, quarantined=number > 0))
    assert await exported(quarantine) == [2]
    await store.release(["lead-1"])
    assert await exported(quarantine) == [1]


async def test_no_value_is_exported_while_the_database_is_unavailable(
    postgresql: PostgreSQL,
) -> None:
    """A stale value would hide the failure."""
    async with Database(postgresql.new_database(), tables=all_tables) as database:
        await database.upgrade()
        quarantine = PolledSamples(LeadStore(database).quarantined_samples)
        assert await exported(quarantine) == [0]
        postgresql.stop()
        try:
            assert await exported(quarantine) == []
        finally:
            postgresql.start()
        assert await exported(quarantine) == [0]
