"""`majlis leads review`: what is in quarantine, why, and what becomes of it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from command_line import run_majlis
from contract.visitor import NOW
from stores.migrated import migrated_sqlite

from app.features.leads.model import Lead, Submission
from app.features.leads.spam_filter import HourlyLimits, SpamFilter, SpamHistory
from app.features.leads.store import LeadStore
from app.platform.database.database import Database
from app.tables import all_tables

MESSAGES = ("bitcoin casino", "www.a.test www.b.test www.c.test", "xkqjwpd zvbnfgtr")


@pytest.fixture
def variables(tmp_path: Path) -> dict[str, str]:
    """A database with three leads in quarantine and one that is not."""
    url = migrated_sqlite(tmp_path / "majlis.db")

    async def fill() -> None:
        async with Database(url, tables=all_tables) as database:
            spam_filter = SpamFilter(SpamHistory(database), lambda: b"key", HourlyLimits())
            for number, message in enumerate((*MESSAGES, "Hello")):
                lead = Lead(email=f"{number}@x{number}.test", message=message)
                why = await spam_filter.assess(lead, {}, NOW)
                await LeadStore(database).add(
                    Submission(f"lead-{number}", lead, NOW, why.is_spam, assessment=why)
                )

    asyncio.run(fill())
    return {"DATABASE_URL": url}


def test_leads_are_released_deleted_and_skipped_one_by_one(
    variables: dict[str, str], tmp_path: Path
) -> None:
    """Each is shown with its reasons; what is skipped stays."""
    result = run_majlis("leads", "review", folder=tmp_path, variables=variables, typed="r\nd\ns\n")
    assert result.returncode == 0, result.stderr
    for shown in ("1 of 3: score 100 (phrases +100)", "(gibberish +100)", *MESSAGES):
        assert shown in result.stdout
    assert "Released 1, deleted 1." in result.stdout
    left = run_majlis("leads", "review", "--json", folder=tmp_path, variables=variables)
    (line,) = left.stdout.splitlines()
    fields = json.loads(line)
    assert (fields["id"], fields["reasons"]) == ("lead-2", {"gibberish": 100})


@pytest.mark.parametrize("answers", ["q\n", ""], ids=["quit", "end of input"])
def test_quitting_changes_nothing(variables: dict[str, str], tmp_path: Path, answers: str) -> None:
    """And each review is in the record of exports."""
    options = ("--reason", "links")
    result = run_majlis(
        "leads", "review", *options, folder=tmp_path, variables=variables, typed=answers
    )
    assert "1 of 1" in result.stdout
    assert "Released 0, deleted 0." in result.stdout
    record = run_majlis("leads", "exports", "--json", folder=tmp_path, variables=variables)
    assert json.loads(record.stdout)["command"] == "review"
