"""Backup and restore of PostgreSQL, by the programs of the server that the tests run."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import asyncpg
import pytest
from command_line import run_majlis
from contract.visitor import write_tree
from stores.postgresql import PostgreSQL

Run = Callable[..., CompletedProcess[str]]

LEAD = (
    "INSERT INTO leads (id, received_at, email, email_folded, quarantined, digest)"
    " VALUES (gen_random_uuid(), now(), 'a@b.test', 'a@b.test', false, 'd')"
)


@pytest.fixture
def url(postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch) -> str:
    """The URL of an empty database; the programs are those of its server."""
    monkeypatch.setenv("PATH", f"{postgresql.programs}{os.pathsep}{os.environ['PATH']}")
    return postgresql.new_database()


@pytest.fixture
def run(tmp_path: Path, url: str) -> Run:
    """Runs a command with the database."""
    return lambda *arguments, **variables: run_majlis(
        *arguments, folder=tmp_path, variables={"DATABASE_URL": url, **variables}
    )


def execute(url: str, *statements: str) -> object:
    """Execute statements, and return the first value of the last one."""

    async def work() -> object:
        connection = await asyncpg.connect(url)
        for statement in statements[:-1]:
            await connection.execute(statement)
        value = await connection.fetchval(statements[-1])
        await connection.close()
        return value

    return asyncio.run(work())


def leads(url: str) -> object:
    """Return the number of leads."""
    return execute(url, "SELECT count(*) FROM leads")


def refused(done: CompletedProcess[str]) -> str:
    """Return the error of a command, which wrote nothing else."""
    assert (done.returncode, done.stdout) == (1, "")
    return done.stderr


def test_a_restore_replaces_the_tables_of_the_service_and_no_others(
    run: Run, url: str, tmp_path: Path
) -> None:
    """Only with --force, and not while another client is connected."""
    assert "nothing to back up" in refused(run("backup", "a.tar"))
    run("db", "upgrade")
    execute(url, LEAD, "CREATE TABLE other (text text)")
    assert run("backup", "a.tar").returncode == 0
    execute(url, LEAD, "INSERT INTO other VALUES ('x')")
    assert "not empty. Add --force" in refused(run("restore", "a.tar", "--into", url))
    assert leads(url) == 2
    assert run("restore", "a.tar", "--into", url, "--force").returncode == 0
    assert (leads(url), execute(url, "SELECT text FROM other")) == (1, "x")
    in_use = asyncio.run(restored_in_use(run, url))
    assert "in use (connections: 1)" in refused(in_use)


async def restored_in_use(run: Run, url: str) -> CompletedProcess[str]:
    """Restore while a client is connected."""
    connection = await asyncpg.connect(url)
    try:
        return run("restore", "a.tar", "--into", url, "--force")
    finally:
        await connection.close()


def test_a_restore_that_fails_changes_nothing(run: Run, url: str, tmp_path: Path) -> None:
    """In no table, also when all of them were written already, and in no file."""
    write_tree(tmp_path, {"var/preview.key": "11" * 32})
    run("db", "upgrade")
    assert run("backup", "a.tar").returncode == 0
    execute(url, LEAD, "CREATE TABLE other (lead varchar REFERENCES leads)")
    assert "other" in refused(run("restore", "a.tar", "--into", url, "--force"))
    assert leads(url) == 1
    execute(url, "DROP TABLE other", LEAD)
    backup = tmp_path / "a.tar"
    backup.write_bytes(backup.read_bytes().replace(b"11" * 32, b"22" * 32))
    assert "digest of keys/preview.key" in refused(run("restore", "a.tar", "--force"))
    assert leads(url) == 2
    assert (tmp_path / "var" / "preview.key").read_bytes() == b"11" * 32


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_a_missing_program_is_named_and_no_password(
    run: Run, url: str, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """With the package that has it."""
    run("db", "upgrade")
    run("backup", "a.tar")
    monkeypatch.setenv("PATH", "/nowhere")
    secret = url.replace("postgres:@", "postgres:top-secret@")
    error = refused(run(command, "a.tar", "--force", DATABASE_URL=secret))
    program = {"backup": "pg_dump", "restore": "psql"}[command]
    assert f"{program} is not installed" in error
    assert "apt install postgresql-client" in error
    assert "top-secret" not in error
