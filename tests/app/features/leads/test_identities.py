"""Anonymised leads: nothing identifies a person any more, and they are still counted."""

from __future__ import annotations

import asyncio
from datetime import date, timedelta
from pathlib import Path

import pytest
from command_line import run_majlis
from contract.visitor import NOW, FakeClock
from gulf import SLUGS
from sqlalchemy import select
from stores.migrated import migrated_sqlite

from app.features.leads.commands.selections import Selection
from app.features.leads.commands.statistics import GROUPINGS, statistics
from app.features.leads.model import Assessment, Fingerprint, Reason, Submission
from app.features.leads.retention import ANONYMISATION, Identities, Retention, _anonymous_values
from app.features.leads.settings import LeadSettings
from app.features.leads.store import LeadStore, lead_store
from app.features.leads.submission import validate_lead
from app.features.leads.tables import leads
from app.platform.database.database import Database
from app.platform.database.metadata import metadata
from app.platform.deliveries.outbox import Outbox
from app.tables import all_tables

DAY = timedelta(days=1)
SECRET = "falcon"
FIELDS = {
    "email": f"{SECRET}@example.test",
    "name": SECRET,
    "phone": "050 123 4567",
    "company": SECRET,
    "topic": "demo",
    "subject": "hardware",
    "message": SECRET,
    "sourcePage": f"/ae/ar/contact#{SECRET}",
    "source": "fair",
    "productService": SECRET,
    "countryCode": "ae",
    "localeCountry": "ae",
    "localeLang": "ar",
    "page": f"/ae/ar/pos?to={SECRET}#top",
    "utm_source": "newsletter",
    "utm_medium": f"{SECRET}@example.test",
    "utm_campaign": "spring",
    "utm_term": SECRET,
    "utm_content": SECRET,
}
KEPT = {
    "topic": "demo",
    "subject": "hardware",
    "source_page": "/ae/ar/contact",
    "source": "fair",
    "country_code": "AE",
    "locale_country": "ae",
    "locale_lang": "ar",
    "page": "/ae/ar/pos",
    "utm_source": "newsletter",
    "utm_campaign": "spring",
}


async def add(store: LeadStore, name: str, age: timedelta, **more: object) -> Submission:
    """Store a lead of that age, with a text in every field."""
    lead = validate_lead({**FIELDS, "email": f"{name}-{SECRET}@example.test"}, SLUGS)
    submission = Submission(f"{SECRET}-{name}", lead, NOW - age, **more)  # type: ignore[arg-type]
    await store.add(submission)
    return submission


async def texts(database: Database) -> str:
    """Return all that is in the database."""
    async with database.reading() as connection:
        rows = [
            [*row]
            for table in metadata.tables.values()
            for row in await connection.execute(select(table))
        ]
    return repr(rows)


async def test_nothing_identifies_a_person_and_the_counts_stay(database: Database) -> None:
    """Neither a field, nor an ID, an idempotency key or a digest; also of those in quarantine."""
    store, identities = LeadStore(database), Identities(database)
    sent = await add(store, "old", 30 * DAY, key="a" * 64)
    fingerprint = Fingerprint("b" * 64, "c" * 64, "d" * 64, ("e" * 64,))
    spam = Assessment({Reason.HONEYPOT: 100}, fingerprint)
    await add(store, "trapped", 30 * DAY, quarantined=True, assessment=spam)
    young = await add(store, "young", DAY)
    groups = [each for name, each in GROUPINGS.items() if name not in ("pages", "campaigns")]
    before = [await statistics(database, each, date(2000, 1, 1), 10) for each in groups]
    assert await identities.count(NOW - 29 * DAY) == 2
    assert await identities.purge(NOW - 29 * DAY, 500) == 2
    assert before == [await statistics(database, each, date(2000, 1, 1), 10) for each in groups]
    pages = await statistics(database, GROUPINGS["pages"], date(2026, 5, 31) - 30 * DAY, 10)
    assert ("/ae/ar/pos", 1, 1, 50) in pages.rows
    left = await texts(database)
    assert left.count(SECRET) == repr(young).count(SECRET) + 1  # e-mail and the folded one
    assert sent.key
    assert sent.key not in left
    assert sent.lead.digest not in left
    assert sent.body_digest not in left
    assert not any(each * 64 in left for each in "abcde")
    assert "971501234567" in left  # of the young one
    [anonymous] = [each async for each in store.all(False, until=NOW - 29 * DAY)]
    assert anonymous.lead.model_dump(exclude_none=True, exclude={"email"}, by_alias=False) == KEPT
    assert (anonymous.lead.email, anonymous.phone_e164) == ("", None)
    midnight = (NOW - 30 * DAY).replace(hour=0)
    assert anonymous.received_at == midnight
    assert await Selection(since=midnight, until=midnight + DAY).count(store) == 2
    assert await identities.purge(NOW - 29 * DAY, 500) == 0


def test_every_column_is_either_taken_away_or_identifies_nobody() -> None:
    """A new column or table is not forgotten: see `app/features/leads/retention.py`."""
    places = {"country_code", "locale_country", "locale_lang"}
    harmless = {"quarantined", "topic", "subject", "form", *places}
    assert {"id", *_anonymous_values(is_postgresql=False)} | harmless == {*leads.c.keys()}
    about_leads = {
        table.name
        for table in metadata.sorted_tables
        if any(key.column.table is leads for key in table.foreign_keys)
    }
    assert about_leads == {"lead_keys", "lead_files", "lead_assessments", "lead_sketches"}


async def test_an_anonymised_lead_is_nobodys(database: Database) -> None:
    """It is not erased with a person's leads, and an equal one is a new lead."""
    store = LeadStore(database)
    sent = await add(store, "old", DAY, key="a" * 64)
    assert await Identities(database).purge(NOW, 500) == 1
    assert await store.get(sent.id) is None
    assert await store.erase("") == 0
    again = Submission("again", sent.lead, sent.received_at, key="a" * 64)
    assert await store.add(again) == "again"
    assert await store.count() == 2


async def test_nobody_is_told_of_an_anonymised_lead(database: Database) -> None:
    """Also if it leaves quarantine afterwards; what the outbox holds has no text of a lead."""
    settings = LeadSettings(_env_file=None, leads_webhook_url="http://127.0.0.1:1/leads")
    outbox = Outbox(database)
    store = lead_store(settings, database, outbox)
    await add(store, "trapped", 30 * DAY, quarantined=True)
    await add(store, "honest", 30 * DAY)
    assert await Identities(database).purge(NOW, 500) == 2
    [anonymous] = [each.id async for each in store.all(quarantined=True)]
    assert await store.release([anonymous]) == {anonymous}
    [told] = await outbox.newest(10)
    assert told.subject == f"{SECRET}-honest"
    assert await store.get(told.subject) is None
    assert f"{SECRET}@" not in await texts(database)


async def test_leads_are_anonymised_before_they_are_deleted(
    database: Database, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    """Both every hour, each after its own time; a clock that jumped ahead changes one day only."""
    store, identities = LeadStore(database), Identities(database)
    for age in (90, 60, 30):
        await add(store, f"{age}", age * DAY)
    anonymisation = Retention(50, identities, clock, words=ANONYMISATION)
    assert await anonymisation.delete_due() == 1
    assert await anonymisation.delete_due() == 0
    assert "majlis leads anonymise --older-than 50d" in caplog.text
    assert await Retention(80, store, clock).delete_due() == 1  # it catches up on its own
    assert await store.count() == 2
    assert await identities.oldest() == NOW - 60 * DAY


def test_the_command_asks_and_leaves_no_trace_in_the_file(tmp_path: Path) -> None:
    """SQLite overwrites what was there; a second run finds nothing to do."""
    url = migrated_sqlite(tmp_path / "majlis.db")
    asyncio.run(_add_one(url))
    command = ("leads", "anonymise", "--older-than")

    def run(*arguments: str) -> tuple[int, str]:
        done = run_majlis(*arguments, folder=tmp_path, variables={"DATABASE_URL": url})
        return done.returncode, done.stdout

    assert run(*command, "365d") == (0, "No leads to anonymise.\n")
    code, asked = run(*command, "0h")
    assert (code, "Anonymise 1 leads? This cannot be undone." in asked) == (1, True)
    assert SECRET.encode() in (tmp_path / "majlis.db").read_bytes()
    assert run(*command, "0h", "--yes") == (0, "Anonymised 1 leads.\n")
    assert run(*command, "0h", "--yes") == (0, "No leads to anonymise.\n")
    code, listed = run("leads", "list", "--json")
    assert '"page": "/ae/ar/pos"' in listed
    assert '"email"' not in listed
    assert not any(SECRET.encode() in file.read_bytes() for file in tmp_path.glob("majlis.db*"))


async def _add_one(url: str) -> None:
    async with Database(url, tables=all_tables) as database:
        await add(LeadStore(database), "one", DAY)
