"""Spam leads and spreadsheet formulas: reported, harmless, and easy to delete."""

from __future__ import annotations

import asyncio
import csv
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from command_line import run_majlis
from contract.visitor import NOW
from live.server import Server, client_of, eventually, free_port
from sqlalchemy import insert

from app.features.leads.model import Submission
from app.features.leads.store import LeadStore
from app.features.leads.submission import validate_lead
from app.features.leads.tables import leads
from app.platform.database.database import Database
from app.tables import all_tables

pytestmark = pytest.mark.slow

FLOOD = 1_200
"""More than one transaction changes."""
FORMULA = "Hello;=HYPERLINK(1)\tnext;@SUM(1)"
PERSON = {"email": "noor@example.test", "message": FORMULA, "name": "نور"}


async def fill(url: str) -> None:
    """Store a lead of a person, and many in quarantine as by the honeypot."""
    async with Database(url, tables=all_tables) as database:
        await LeadStore(database).add(Submission("person", validate_lead(PERSON, ()), NOW))
        async with database.writing() as connection:
            await connection.execute(insert(leads), [robot(number) for number in range(FLOOD)])


def robot(number: int) -> dict[str, object]:
    """Build the row of a lead in quarantine."""
    email = f"{number}@spam.example"
    return {
        "id": f"robot-{number}",
        "received_at": NOW,
        "email": email,
        "email_folded": email,
        "quarantined": True,
        "digest": f"{number:064}",
    }


def test_a_flood_of_leads_is_reported_and_deleted(
    start: Callable[..., Server], tmp_path: Path
) -> None:
    """Metrics and `leads list` report it; one command deletes only these leads."""
    port, url = free_port(), f"sqlite:///{tmp_path}/majlis.db"
    asyncio.run(fill(url))
    start(METRICS_PORT=str(port), DATABASE_URL=url)
    with client_of(f"http://127.0.0.1:{port}") as monitor:
        line = f"majlis_leads_quarantined {FLOOD}.0"
        eventually(lambda: line in monitor.get("/metrics").text)

    def run(*arguments: str) -> tuple[str, str]:
        done = run_majlis("leads", *arguments, folder=tmp_path, variables={"DATABASE_URL": url})
        return done.stdout, done.stderr

    assert f"{FLOOD} in quarantine" in run("list")[1]
    deleted, _ = run("delete", "--matching", "*@spam.example", "--yes")
    assert deleted == f"Deleted {FLOOD} of {FLOOD}.\n"
    exported, _ = run("export")
    assert exported.startswith("\ufeff")
    (row,) = csv.DictReader(StringIO(exported.removeprefix("\ufeff")))
    assert (row["id"], row["name"]) == ("person", "نور")
    assert row["message"] == "Hello;'=HYPERLINK(1)\tnext;'@SUM(1)"
