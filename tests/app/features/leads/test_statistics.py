"""Statistics of leads, on SQLite and PostgreSQL."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest_asyncio
from gulf import SLUGS

from app.features.leads.commands.statistics import GROUPINGS, statistics
from app.features.leads.model import Submission
from app.features.leads.store import LeadStore
from app.features.leads.submission import validate_lead
from app.platform.database.database import Database

SINCE = date(2026, 11, 1)
LEADS: list[tuple[str, bool, dict[str, str]]] = [
    ("2026-10-31T23:59", False, {"page": "/ae/en/too-early"}),
    ("2026-11-01T00:00", False, {"page": "/ae/en/pos", "localeLang": "en", "countryCode": "AE"}),
    ("2026-11-02T00:00", False, {"page": "/ae/en/pos", "localeCountry": "ae", "source": "fair"}),
    ("2026-11-08T23:59", True, {"sourcePage": "/ae/en/pos", "utm_source": "fair"}),
    (
        "2026-11-08T20:30",
        False,
        {"page": "/sa/ar/pos", "sourcePage": "/sa/ar/contact", "utm_campaign": "spring"},
    ),
]


@pytest_asyncio.fixture
async def counted(database: Database) -> Database:
    """A database with five leads, of which one is older."""
    for number, (at, quarantined, fields) in enumerate(LEADS):
        lead = validate_lead({"email": f"{number}@example.test", **fields}, SLUGS)
        received_at = datetime.fromisoformat(at).replace(tzinfo=UTC)
        await LeadStore(database).add(
            Submission(f"lead-{number}", lead, received_at, quarantined=quarantined)
        )
    return database


async def test_leads_are_counted_by_period_and_origin(counted: Database) -> None:
    """Those in quarantine apart, with their share; weeks begin on Monday, days at midnight UTC."""

    async def rows(name: str, limit: int = 10) -> list[tuple[Any, ...]]:
        return [*(await statistics(counted, GROUPINGS[name], SINCE, limit)).rows]

    assert await rows("total") == [(3, 1, 25)]
    assert await rows("days", limit=1) == [
        (date(2026, 11, 8), 1, 1, 50),
        (date(2026, 11, 2), 1, 0, 0),
        (date(2026, 11, 1), 1, 0, 0),
    ]
    assert await rows("weeks") == [(date(2026, 11, 2), 2, 1, 33), (date(2026, 10, 26), 1, 0, 0)]
    assert await rows("pages") == [("/ae/en/pos", 2, 1, 33), ("/sa/ar/pos", 1, 0, 0)]
    assert await rows("pages", limit=1) == [("/ae/en/pos", 2, 1, 33)]
    assert await rows("countries") == [("ae", 2, 0, 0), ("", 1, 1, 50)]
    assert await rows("languages") == [("", 2, 1, 33), ("en", 1, 0, 0)]
    assert await rows("campaigns") == [
        ("fair", "", "", 1, 1, 50),
        ("", "", "spring", 1, 0, 0),
        ("", "", "", 1, 0, 0),
    ]


async def test_without_leads_every_report_is_empty(database: Database) -> None:
    """Also the total, of which there is no percentage."""
    for grouping in GROUPINGS.values():
        assert not (await statistics(database, grouping, SINCE, 10)).rows
