"""`majlis leads list`, `show`, `export`, `exports` and `stats`: selection, and the record of it."""

from __future__ import annotations

import asyncio
import csv
import json
import os
import pwd
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from command_line import run_majlis
from gulf import SLUGS
from storefront.clocks import confirm
from stores.migrated import migrated_sqlite

from app.features.leads.exports import RECORDS_LIFE, Exporter, ExportRecords
from app.features.leads.model import Submission
from app.features.leads.store import LeadStore
from app.features.leads.submission import validate_lead
from app.platform.clock import utc_now
from app.platform.database.database import Database
from app.tables import all_tables

Run = Callable[..., subprocess.CompletedProcess[str]]
DAY = datetime(2026, 11, 20, tzinfo=UTC)
USER = pwd.getpwuid(os.getuid()).pw_name
LEADS = {
    "first": {"page": "/ae/en/pos", "name": "Noor"},
    "second": {"page": "/ae/en/pos/till", "name": "سالم"},
    "third": {"sourcePage": "/AE/en/contact"},
    "trapped": {"page": "/ae/en/pos"},
}


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A function that runs a command on a database of four leads, each of another day."""
    url = migrated_sqlite(tmp_path / "majlis.db")
    asyncio.run(_add_leads(url))
    return lambda *arguments: run_majlis(
        *arguments, folder=tmp_path, variables={"DATABASE_URL": url}
    )


async def _add_leads(url: str) -> None:
    async with Database(url, tables=all_tables) as database:
        for day, (name, fields) in enumerate(LEADS.items()):
            lead = validate_lead({"email": f"{name}@example.test", **fields}, SLUGS)
            at = DAY + timedelta(days=day)
            await LeadStore(database).add(Submission(name, lead, at, quarantined=name == "trapped"))


def recorded(run: Run) -> list[dict[str, Any]]:
    """Return the records of exports."""
    return [json.loads(line) for line in run("leads", "exports", "--json").stdout.splitlines()]


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        pytest.param((), ["first", "second", "third"], id="all but the quarantined"),
        pytest.param(("--since", "2026-11-21"), ["second", "third"], id="since, inclusive"),
        pytest.param(("--until", "2026-11-21"), ["first"], id="until, exclusive"),
        pytest.param(("--page", "/ae/en/pos"), ["first"], id="exactly this page"),
        pytest.param(("--page", "/ae/en/pos*"), ["first", "second"], id="pages that begin so"),
        pytest.param(("--page", "/AE/*"), ["third"], id="letter case; page of the form"),
        pytest.param(("--page", "/ae/%"), [], id="no pattern of SQL"),
        pytest.param(("--page", "/ae/*", "--quarantined"), ["trapped"], id="quarantined"),
    ],
)
def test_list_and_export_select_by_date_and_page(
    run: Run, options: tuple[str, ...], ids: list[str]
) -> None:
    """The same leads, as JSON lines with the API's field names and as CSV."""
    listed = run("leads", "list", "--json", *options)
    leads = [json.loads(line) for line in listed.stdout.splitlines()]
    assert [lead["id"] for lead in leads] == ids
    assert {lead["email"] for lead in leads} == {f"{name}@example.test" for name in ids}
    exported = run("leads", "export", *options).stdout.removeprefix("\ufeff")
    assert [row["id"] for row in csv.DictReader(StringIO(exported))] == ids
    assert run("leads", "export", "--format", "jsonl", *options).stdout == listed.stdout


def test_what_leaves_the_database_is_recorded(run: Run) -> None:
    """When, by which user, for whom, which selection and how many leads; none of their data."""
    before = utc_now() - timedelta(milliseconds=1)
    run("leads", "export", "--by", "Huda", "--since", "2026-11-21", "--page", "/ae/*")
    run("leads", "list")
    run("leads", "list", "--json", "--quarantined")
    run("leads", "show", "second")
    assert run("leads", "show", "no-such").returncode == 1
    records = recorded(run)
    assert all(before <= datetime.fromisoformat(each.pop("at")) <= utc_now() for each in records)
    own = {"user": USER, "by": None}
    selection = "not quarantined, since 2026-11-21T00:00:00Z, page /ae/*"
    assert records == [
        own | {"by": "Huda", "command": "export", "leads": 1, "selection": selection},
        own | {"command": "list", "leads": 3, "selection": "not quarantined"},
        own | {"command": "list", "leads": 1, "selection": "quarantined"},
        own | {"command": "show", "leads": 1, "selection": "second"},
        own | {"command": "show", "leads": 0, "selection": "no-such"},
    ]
    heading, first, *_ = run("leads", "exports").stdout.splitlines()
    assert heading.split() == ["TIME", "USER", "BY", "COMMAND", "LEADS", "SELECTION"]
    assert first.split()[2:6] == [USER, "Huda", "export", "1"]
    assert not run("leads", "exports", "--json", "--since", "2999-01-01").stdout


@pytest.mark.parametrize("command", [("export",), ("list",), ("list", "--json"), ("show", "first")])
def test_without_a_record_nothing_is_exported(
    run: Run, tmp_path: Path, command: tuple[str, ...]
) -> None:
    """A command that cannot record what it does writes no lead."""
    with closing(sqlite3.connect(tmp_path / "majlis.db")) as connection:
        connection.execute("DROP TABLE lead_exports")
    done = run("leads", *command)
    assert (done.returncode, done.stdout) == (1, "")
    assert "DATABASE_URL" in done.stderr


async def test_records_tell_how_far_an_interrupted_export_came(database: Database) -> None:
    """The number of leads is that until then; records are deleted after two years."""
    now = DAY
    records = ExportRecords(database, lambda: now)

    async def interrupted() -> None:
        async with records.recording("export", Exporter("root"), "all") as progress:
            assert [each.number async for each in records.all()] == [None]
            progress.number = 7
            raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        await interrupted()
    assert [each.number async for each in records.all()] == [7]
    now = DAY + RECORDS_LIFE
    await confirm(database, now)
    async with records.recording("list", Exporter("root"), "all"):
        pass
    assert [each.command async for each in records.all()] == ["export", "list"]
    assert [each.command async for each in records.all(now)] == ["list"]
    now += timedelta(seconds=1)
    async with records.recording("show", Exporter("root"), "all"):
        pass
    assert [each.command async for each in records.all()] == ["list", "show"]


def test_stats_are_printed_as_tables_json_and_csv(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the manner of `majlis audience`; nothing is recorded, as no lead is shown."""
    monkeypatch.setattr(
        "app.features.leads.commands.statistics.utc_now", lambda: DAY + timedelta(days=10)
    )
    told = json.loads(run("leads", "stats", "--format", "json").stdout)
    counted = {"leads": 3, "quarantined": 1, "quarantined %": 25}
    assert (told["since"], told["total"]) == ("2026-10-31", [counted])
    assert [row["page"] for row in told["pages"]] == [
        "/ae/en/pos",
        "/AE/en/contact",
        "/ae/en/pos/till",
    ]
    table = run("leads", "stats", "--since", "9d", "--report", "days").stdout
    assert "2026-11-21" in table
    assert "2026-11-20" not in table
    lines = run("leads", "stats", "--format", "csv", "--report", "total").stdout.splitlines()
    assert lines == ["\ufeffreport,leads,quarantined,quarantined %", "total,3,1,25"]
    none = run("leads", "stats", "--since", "1d", "--format", "json", "--report", "weeks")
    assert (none.stderr, json.loads(none.stdout)["weeks"]) == ("No leads since 2026-11-29.\n", [])
    assert recorded(run) == []
