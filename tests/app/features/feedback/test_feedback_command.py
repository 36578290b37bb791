"""`majlis feedback`: lists, deletes and purges reports."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from contract.visitor import NOW, FakeClock, Visitor

from app.features.feedback.commands import feedback_group

REPORTS = (
    {"path": "/sa/ar/erp#vat", "message": "Wrong rate\x1b[31m.\nIt is 15 %.", "kind": "wrong"},
    {"path": "/ae/en/pricing", "message": "السعر قديم.", "kind": "outdated"},
)
SECOND = timedelta(seconds=1)
Run = Callable[..., Result]


@pytest.fixture
def ids(tmp_path: Path) -> list[str]:
    """The IDs of two reports that a service has stored, a second apart."""
    url, clock, sent = f"sqlite:///{tmp_path}/feedback.db", FakeClock(), []
    with Visitor(clock, content_dir=tmp_path / "content", database_url=url) as visitor:
        for report in REPORTS:
            sent.append(visitor.post("/api/public/v1/feedback", report))
            clock.move(SECOND)
    return [reply.json["id"] for reply in sent]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A function that runs the command on the database of the test."""
    variables = {"DATABASE_URL": f"sqlite:///{tmp_path}/feedback.db"}
    return lambda *arguments: CliRunner(env=variables).invoke(feedback_group, arguments)


def test_feedback_is_listed_with_its_message(run: Run, ids: list[str]) -> None:
    """One head line and the indented message each, without control characters."""
    time = f"{NOW:%Y-%m-%d %H:%M}"
    assert run("list").stdout.splitlines() == [
        f"{ids[0]}  {time}  wrong  /sa/ar/erp#vat",
        "    Wrong rate�[31m.",
        "    It is 15 %.",
        f"{ids[1]}  {time}  outdated  /ae/en/pricing",
        "    السعر قديم.",
    ]
    assert ids[1] not in run("list", "--page", "/sa/ar/erp").stdout
    assert run("list", "--since", "2026-11-21").stdout == ""


def test_json_lines_have_every_field_as_it_was_sent(run: Run, ids: list[str]) -> None:
    """For programs."""
    lines = run("list", "--format", "jsonl").stdout.splitlines()
    received = [(NOW + n * SECOND).isoformat(timespec="milliseconds") for n in range(len(REPORTS))]
    assert [json.loads(line) for line in lines] == [
        {"id": feedback_id, "receivedAt": received_at, **report}
        for feedback_id, received_at, report in zip(ids, received, REPORTS, strict=True)
    ]


def test_feedback_is_deleted_by_id_or_age(run: Run, ids: list[str]) -> None:
    """An unknown ID ends the command with 1."""
    partly = run("delete", ids[0], "unknown")
    assert (partly.exit_code, partly.stdout) == (1, "Deleted 1 of 2.\n")
    assert run("purge", "--older-than", "36500d").stdout == "Deleted 0 reports.\n"
    assert run("delete", ids[1]).exit_code == 0
    assert run("list").stdout == ""


def test_feedback_is_purged_by_age(
    run: Run, ids: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is exactly as old stays."""
    now = NOW + timedelta(days=1) + SECOND
    monkeypatch.setattr("app.features.feedback.commands.utc_now", lambda: now)
    assert run("purge", "--older-than", "1d").stdout == "Deleted 1 reports.\n"
    assert [line for line in run("list").stdout.splitlines() if ids[1] in line]
