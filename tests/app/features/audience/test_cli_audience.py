"""`majlis audience` reports what is stored."""

from __future__ import annotations

import asyncio
import csv
import json
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from app.features.audience.model import AgentKey, Batch, MissedKey, PageKey, SearchKey, SignatureKey
from app.features.audience.store import AudienceStore
from app.operations.cli import main
from app.platform.clock import utc_now
from app.platform.database.database import Database
from app.tables import all_tables
from app.web.pipeline.surfaces import OTHERS

Run = Callable[..., Result]

TODAY = utc_now().date()
MONDAY = TODAY - timedelta(days=TODAY.weekday())
LONG_AGO = TODAY - timedelta(days=90)
COUNTS = Batch(
    pages={
        PageKey(TODAY, "/ae/en/erp", "html", 200, "browser"): 5,
        PageKey(TODAY, "/ae/en/erp", "markdown", 200, "ai-assistant"): 7,
        PageKey(TODAY, "/ae/en/pos", "markdown", 200, "ai-assistant"): 2,
        PageKey(TODAY, OTHERS, "html", 404, "browser"): 90,
        PageKey(TODAY, "/robots.txt", "other", 200, "browser"): 90,
        PageKey(LONG_AGO, "/ae/en/old", "html", 200, "browser"): 99,
    },
    agents={
        AgentKey(TODAY, "Chrome", "browser", "html"): 5,
        AgentKey(TODAY, "ChatGPT-User", "ai-assistant", "markdown"): 9,
        AgentKey(TODAY, "ChatGPT-User", "ai-assistant", "html"): 3,
        AgentKey(LONG_AGO, "Chrome", "browser", "html"): 99,
    },
    missed={
        MissedKey(TODAY, "/ae/en/prices", "chatgpt.com", "browser"): 4,
        MissedKey(TODAY, "/ae/en/prices", "chatgpt.com", "unknown"): 2,
        MissedKey(TODAY, "/wp-login.php", "", "unknown"): 3,
    },
    searches={
        SearchKey(TODAY, "site", "=cmd", 0): 2,
        SearchKey(TODAY, "mcp", "زاتكا", 0): 3,
        SearchKey(TODAY, "site", "vat", 12): 50,
    },
    signatures={
        SignatureKey(TODAY, "chatgpt.com", "ChatGPT-User", "ai-assistant"): 8,
        SignatureKey(TODAY, "chatgpt.com", "curl", "library"): 1,
    },
)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs the command on a database of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AUDIENCE", raising=False)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/majlis.db")
    return lambda *words: CliRunner().invoke(main, ["audience", *words], catch_exceptions=False)


@pytest.fixture
def counted(tmp_path: Path) -> None:
    """Store counts."""

    async def add() -> None:
        async with Database(f"sqlite:///{tmp_path}/majlis.db", tables=all_tables) as database:
            await AudienceStore(database).add(COUNTS)

    asyncio.run(add())


@pytest.mark.usefixtures("counted")
def test_all_reports_are_printed_as_json(run: Run) -> None:
    """Since a day, and the most important first."""
    reports = json.loads(run("--format", "json").output)
    week = str(MONDAY)
    assert reports["agents"] == [
        {"week": week, "class": "ai-assistant", "agent": "ChatGPT-User", "responses": 12},
        {"week": week, "class": "browser", "agent": "Chrome", "responses": 5},
    ]
    assert reports["pages"] == [
        {"class": "ai-assistant", "page": "/ae/en/erp", "responses": 7},
        {"class": "ai-assistant", "page": "/ae/en/pos", "responses": 2},
        {"class": "browser", "page": "/ae/en/erp", "responses": 5},
    ]
    last = str(TODAY)
    assert reports["searches"] == [
        {"query": "زاتكا", "channel": "mcp", "searches": 3, "last": last},
        {"query": "=cmd", "channel": "site", "searches": 2, "last": last},
    ]
    assert reports["missed"] == [
        {"path": "/ae/en/prices", "from": "chatgpt.com", "requests": 6, "last": last},
        {"path": "/wp-login.php", "from": "", "requests": 3, "last": last},
    ]
    assert [tuple(row.values()) for row in reports["signatures"]] == [
        ("chatgpt.com", "ai-assistant", "ChatGPT-User", 8, last),
        ("chatgpt.com", "library", "curl", 1, last),
    ]
    assistant, browser = reports["forms"]
    assert (assistant["html"], assistant["markdown"], assistant["markdown %"]) == (3, 9, 75)
    assert (browser["class"], browser["markdown %"]) == ("browser", 0)


@pytest.mark.usefixtures("counted")
def test_reports_are_printed_as_tables(run: Run) -> None:
    """Each has a title, and long cells are whole if the output is a file."""
    output = run().output
    titles = ("Agents by week", "Most read pages by class", "Searches in vain", "Pages missed")
    others = ("Markdown against HTML", "Claimed signatures, not verified")
    assert all(title in output for title in (*titles, *others))
    lines = [line.split() for line in output.splitlines()]
    assert ["/ae/en/prices", "chatgpt.com", "6", str(TODAY)] in lines
    assert ["زاتكا", "mcp", "3", str(TODAY)] in lines


@pytest.mark.usefixtures("counted")
def test_reports_are_one_csv_table_whose_first_column_names_them(run: Run) -> None:
    """Cells that look like formulas are escaped."""
    rows = list(csv.DictReader(StringIO(run("--format", "csv").output.lstrip("\ufeff"))))
    assert list(dict.fromkeys(row["report"] for row in rows)) == [
        *("agents", "pages", "searches", "missed", "forms", "signatures")
    ]
    assert "'=cmd" in {row["query"] for row in rows}


@pytest.mark.usefixtures("counted")
def test_reports_are_chosen_and_limited(run: Run) -> None:
    """By name, by number of rows, and by age."""
    chosen = json.loads(run("--format", "json", "--report", "missed", "--limit", "1").output)
    assert [*chosen] == ["since", "missed"]
    assert [row["path"] for row in chosen["missed"]] == ["/ae/en/prices"]
    older = json.loads(run("--format", "json", "--report", "pages", "--since", "20w").output)
    assert {"class": "browser", "page": "/ae/en/old", "responses": 99} in older["pages"]


def test_without_counts_the_command_says_what_to_do(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether counting is off, or nothing has been written yet."""
    assert "Set AUDIENCE=on" in run().stderr
    monkeypatch.setenv("AUDIENCE", "on")
    assert "Nothing is counted yet" in run().stderr
    assert json.loads(run("--format", "json").stdout)["pages"] == []


@pytest.mark.usefixtures("counted")
def test_a_period_without_counts_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the day at which they begin."""
    monkeypatch.setattr(
        "app.features.audience.commands.utc_now", lambda: utc_now() + timedelta(days=60)
    )
    assert f"Counts begin at {LONG_AGO}" in run().stderr
