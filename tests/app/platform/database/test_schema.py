"""The schema that an empty database gets is that of the migrations, of the newest revision."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, create_engine, text

from app.platform.database import newest_schema, schema
from app.platform.database.revision import NEWEST

START = """
import asyncio, sys
from app.platform.database.database import Database

async def prepare():
    async with Database(sys.argv[1]) as database:
        await database.prepare()

asyncio.run(prepare())
print("alembic" in sys.modules)
"""


def statements_of(file: Path) -> set[str]:
    """Return the statements that would create a database again.

    Their spaces are those of whoever wrote them, and the name of the log of changes is random.
    """
    with closing(sqlite3.connect(file)) as connection:
        return {
            re.sub(r"\s+", " ", re.sub(r"'[0-9a-f]{8}'", "?", each))
            for each in connection.iterdump()
        }


def made(file: Path, make: Callable[[Connection], None]) -> set[str]:
    """Make the schema of an empty database, and return its statements."""
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        make(connection)
    engine.dispose()
    return statements_of(file)


def test_the_newest_revision_is_that_of_the_last_migration() -> None:
    """A new migration needs it too."""
    assert schema.missing(None)[-1] == NEWEST


def test_an_empty_database_gets_at_once_what_the_migrations_make(tmp_path: Path) -> None:
    """Write what is missing into `newest_schema.sql`, and take out what is too much."""
    migrated = made(tmp_path / "migrated.db", schema.upgrade)
    assert made(tmp_path / "created.db", newest_schema.create) == migrated


def test_the_first_start_needs_no_alembic(tmp_path: Path) -> None:
    """Its import takes longer than to create the schema."""
    command = [sys.executable, "-c", START, f"sqlite:///{tmp_path}/majlis.db"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False"]
    assert f"INSERT INTO \"alembic_version\" VALUES('{NEWEST}');" in statements_of(
        tmp_path / "majlis.db"
    )


def test_a_topic_that_the_contract_lacks_becomes_the_subject(tmp_path: Path) -> None:
    """Of leads that were stored before there was one."""
    stored = text(
        "INSERT INTO leads (id, received_at, email, email_folded, topic, quarantined, digest)"
        " VALUES (:id, '2026-11-01', '', '', :topic, 0, '')"
    )
    engine = create_engine(f"sqlite:///{tmp_path}/old.db")
    with engine.begin() as connection:
        newest_schema.create(connection)
        connection.execute(text("ALTER TABLE leads DROP COLUMN subject"))
        connection.execute(text("UPDATE alembic_version SET version_num = '0017'"))
        for topic in ("hardware", "demo", None):
            connection.execute(stored, {"id": topic or "none", "topic": topic})
        schema.upgrade(connection)
        rows = connection.execute(text("SELECT id, topic, subject FROM leads ORDER BY id")).all()
    engine.dispose()
    assert rows == [("demo", "demo", None), ("hardware", "other", "hardware"), ("none", None, None)]
