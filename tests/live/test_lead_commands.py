"""`majlis leads` and `majlis db`: one command in a process of its own, the others in this one."""

from __future__ import annotations

import csv
import json
import subprocess
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from command_line import run_majlis
from live.server import Server, majlis

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]
FIRST = {"email": "noor@example.test", "name": "Noor\x1b[31m", "message": "=1+1\nTwo"}
SECOND = {"email": "salem@example.test", "name": "سالم", "topic": "demo"}
TRAPPED = {"email": "robot@example.test", "website": "http://spam.example"}


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A function that runs a command in the folder of the test, with its database."""
    return lambda *arguments, **variables: run_majlis(
        *arguments, folder=tmp_path, variables=variables
    )


@pytest.fixture
def ids(start: Callable[..., Server]) -> list[str]:
    """The IDs of three leads; the last one is in quarantine."""
    server = start()
    with server.client() as client:
        return [
            client.post("/api/leads", json=body).json()["id"] for body in (FIRST, SECOND, TRAPPED)
        ]


def succeeded(done: subprocess.CompletedProcess[str]) -> str:
    """Check that a command succeeded without messages on standard error; return its output."""
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_all_lead_commands(run: Run, ids: list[str], tmp_path: Path) -> None:
    """List, show, export, release, erase and purge, while the service runs."""
    done = majlis("leads", "list", folder=tmp_path)
    listed = done.stdout.splitlines()
    assert done.stderr == "1 in quarantine: majlis leads list --quarantined\n"
    assert [line.split()[0] for line in listed] == ids[:2]
    assert "\x1b" not in listed[0]

    shown = succeeded(run("leads", "show", ids[0]))
    assert "email: noor@example.test" in shown
    assert "message: =1+1\n    Two" in shown
    assert "\x1b" not in shown

    exported = succeeded(run("leads", "export"))
    assert exported.startswith("\ufeff")
    table = list(csv.DictReader(StringIO(exported.removeprefix("\ufeff"))))
    assert [row["id"] for row in table] == ids[:2]
    assert table[0]["message"] == "'=1+1\nTwo"
    assert table[1]["name"] == "سالم"

    trapped = succeeded(run("leads", "export", "--format", "jsonl", "--quarantined"))
    assert [json.loads(line)["id"] for line in trapped.splitlines()] == ids[2:]

    assert succeeded(run("leads", "release", ids[2])) == "Released 1 of 1.\n"
    assert len(succeeded(run("leads", "list")).splitlines()) == 3
    again = run("leads", "release", ids[2])
    assert (again.returncode, ids[2] in again.stderr) == (1, True)

    assert succeeded(run("leads", "erase", "--email", "NOOR@example.test")) == "Deleted 1 leads.\n"
    assert succeeded(run("leads", "purge", "--older-than", "1d")) == "Deleted 0 leads.\n"
    assert succeeded(run("leads", "purge", "--older-than", "0h")) == "Deleted 2 leads.\n"
    assert succeeded(run("leads", "list")) == ""


def test_leads_are_changed_by_id_or_by_filter(run: Run, ids: list[str]) -> None:
    """Quarantine, release and delete; a change by filter requires a confirmation."""
    first, second, trapped = ids
    assert succeeded(run("leads", "quarantine", first)) == "Quarantined 1 of 1.\n"
    again = run("leads", "quarantine", first, second)
    assert (again.returncode, again.stdout) == (1, "Quarantined 1 of 2.\n")
    assert f"{first} does not exist or is already in quarantine." in again.stderr
    released = run("leads", "release", "--matching", "*@EXAMPLE.test", "--until", "2020-01-01")
    assert succeeded(released) == "No matching leads.\n"
    assert (
        succeeded(run("leads", "release", "--matching", "salem", "--yes")) == "Released 1 of 1.\n"
    )

    asked = run("leads", "delete", "--quarantined", "--since", "2020-01-01")
    assert (asked.returncode, "Delete 2 leads?" in asked.stdout) == (1, True)
    assert len(_quarantined(run)) == 2
    kept = run("leads", "delete", "--matching", "*@example.test", "--not-quarantined", "--yes")
    assert succeeded(kept) == "Deleted 1 of 1.\n"
    assert succeeded(run("leads", "delete", trapped)) == "Deleted 1 of 1.\n"
    assert [line.split()[0] for line in _quarantined(run)] == [first]


def _quarantined(run: Run) -> list[str]:
    return succeeded(run("leads", "list", "--quarantined")).splitlines()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["leads", "delete"], "Give either lead IDs", id="delete nothing"),
        pytest.param(
            ["leads", "delete", "x", "--matching", "y"], "Give either lead IDs", id="both"
        ),
        pytest.param(["leads", "delete", "--matching", ""], "The text is empty", id="empty text"),
        pytest.param(["leads", "release", "--since", "soon"], "2026-11-20", id="no instant"),
        pytest.param(["leads", "delete", "no-such"], "no-such does not exist", id="unknown lead"),
        pytest.param(["leads", "show", "no-such"], "no lead no-such", id="unknown id"),
        pytest.param(["leads", "purge", "--older-than", "soon"], "90d", id="no period"),
        pytest.param(["leads", "purge"], "--older-than", id="nothing chosen"),
        pytest.param(["leads", "export", "--format", "xml"], "jsonl", id="unknown format"),
    ],
)
def test_a_wrong_command_is_refused(run: Run, arguments: list[str], message: str) -> None:
    """With a message, and without a traceback."""
    done = run(*arguments)
    assert done.returncode != 0
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_an_unavailable_database_is_reported_without_its_password(run: Run) -> None:
    """With the name of the setting."""
    url = "postgresql://majlis:top-secret@127.0.0.1:1/majlis"
    for command in (["leads", "list"], ["db", "upgrade"], ["db", "current"]):
        done = run(*command, DATABASE_URL=url)
        assert done.returncode == 1
        assert "DATABASE_URL" in done.stderr
        assert "top-secret" not in done.stderr + done.stdout
        assert "Traceback" not in done.stderr


def test_an_invalid_database_url_is_reported_without_its_password(tmp_path: Path) -> None:
    """The value is a secret, also if it is invalid."""
    urls = {"DATABASE_URL": "mysql://majlis:top-secret@h/d", "REDIS_URL": "http://:top@h"}
    done = majlis("serve", folder=tmp_path, variables=urls)
    assert done.returncode == 1
    assert "DATABASE_URL" in done.stderr
    assert "REDIS_URL" in done.stderr
    assert "top" not in done.stderr


def test_the_schema_is_upgraded_by_a_command(run: Run) -> None:
    """Running it again changes nothing."""
    revision = succeeded(run("db", "upgrade")).split()[-1].rstrip(".")
    assert succeeded(run("db", "upgrade")) == f"The schema is at revision {revision}.\n"
    assert succeeded(run("db", "current")).split()[0] == revision
