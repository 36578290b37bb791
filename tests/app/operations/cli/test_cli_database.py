"""The output of `majlis db backup` and `majlis db restore`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from app.operations.cli import main


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a temporary working folder with a database for the commands."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", "sqlite:///var/majlis.db")
    return tmp_path


def run(*arguments: str) -> Result:
    """Run a command."""
    return CliRunner().invoke(main, ["db", *arguments])


def test_a_database_is_backed_up_and_restored(folder: Path) -> None:
    """Each command reports what it did."""
    assert run("upgrade").exit_code == 0
    made = run("backup", "copy.db")
    assert made.exit_code == 0
    assert "copy.db" in made.output
    (folder / "var" / "majlis.db").unlink()
    restored = run("restore", "copy.db")
    assert restored.exit_code == 0
    assert "Restored" in restored.output
    assert run("current").output.split()[0] in restored.output


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        pytest.param(["backup", "copy.db"], "nothing to back up", id="no database"),
        pytest.param(["restore", "copy.db"], "missing", id="no backup"),
    ],
)
def test_what_is_missing_is_named(folder: Path, arguments: list[str], problem: str) -> None:
    """The error is one line, and no database is created."""
    done = run(*arguments)
    assert done.exit_code == 1
    (line,) = done.output.splitlines()
    assert line.startswith("Error: ")
    assert problem in done.output
    assert not (folder / "var" / "majlis.db").exists()


@pytest.mark.parametrize(("command", "tool"), [("backup", "pg_dump"), ("restore", "pg_restore")])
def test_postgresql_has_its_own_tools(
    monkeypatch: pytest.MonkeyPatch, command: str, tool: str
) -> None:
    """The error names them, and does not contain the password."""
    monkeypatch.setenv("DATABASE_URL", "postgresql://majlis:top-secret@127.0.0.1:1/majlis")
    done = run(command, "copy.db")
    assert done.exit_code == 1
    assert tool in done.output
    assert "top-secret" not in done.output
