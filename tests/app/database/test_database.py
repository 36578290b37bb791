"""The database: the same promises on SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Column, Connection, Integer, MetaData, Table, func, insert, select, text
from sqlalchemy.exc import IntegrityError, StatementError
from stores.postgresql import PostgreSQL

from app.database import schema
from app.database.database import Database
from app.database.errors import SchemaMismatch, StoreUnavailable
from app.database.metadata import Instant
from app.deliveries.tables import deliveries
from app.leads.tables import leads
from app.orders.tables import orders

notes = Table("notes", MetaData(), Column("id", Integer, primary_key=True), Column("at", Instant))


async def make_notes(database: Database) -> None:
    """A table for the tests."""
    async with database.writing() as connection:
        await connection.run_sync(notes.create)


async def note(database: Database, number: int, at: datetime | None = None) -> None:
    """Write a row."""
    async with database.writing() as connection:
        await connection.execute(insert(notes).values(id=number, at=at))


async def noted(database: Database) -> int:
    """How many rows there are."""
    async with database.reading() as connection:
        return (await connection.execute(select(func.count()).select_from(notes))).scalar_one()


async def test_the_migrations_make_the_tables_that_the_code_works_with(database: Database) -> None:
    """Column for column: alembic finds nothing to add."""

    def differences(connection: Connection) -> object:
        options = {"compare_type": False, "compare_server_default": True}
        context = MigrationContext.configure(connection, opts=options)
        assert leads.metadata is orders.metadata is deliveries.metadata
        return compare_metadata(context, leads.metadata)

    async with database.reading() as connection:
        assert await connection.run_sync(differences) == []


async def test_a_block_that_ends_is_stored_and_one_that_fails_is_not(database: Database) -> None:
    """All of a transaction or nothing."""
    await make_notes(database)
    await note(database, 1)

    async def fail() -> None:
        async with database.writing() as connection:
            await connection.execute(insert(notes).values(id=2))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    assert await noted(database) == 1


async def test_writers_at_the_same_time_all_succeed(database: Database) -> None:
    """They wait for one another."""
    await make_notes(database)
    await asyncio.gather(*(note(database, number) for number in range(50)))
    assert await noted(database) == 50


async def test_a_wrong_statement_is_an_error_of_ours_and_not_of_the_database(
    database: Database,
) -> None:
    """It must not be answered with “try again”, and its values stay out of the message."""
    await make_notes(database)
    await note(database, 7_654_321)
    with pytest.raises(IntegrityError) as caught:
        await note(database, 7_654_321)
    assert "7654321" not in str(caught.value.orig).partition("DETAIL")[0]
    assert "parameters" in str(caught.value)
    assert await noted(database) == 1


async def test_an_instant_comes_back_in_utc_from_any_zone(database: Database) -> None:
    """To the microsecond."""
    await make_notes(database)
    at = datetime(2026, 11, 20, 15, 30, 1, 234_567, timezone(timedelta(hours=4)))
    await note(database, 1, at)
    async with database.reading() as connection:
        found = (await connection.execute(select(notes.c.at))).scalar_one()
    assert found == at
    assert found.tzinfo is UTC


async def test_an_instant_without_a_zone_is_refused(database: Database) -> None:
    """Nobody knows when it is."""
    await make_notes(database)
    with pytest.raises(StatementError, match="time zone"):
        await note(database, 1, datetime.fromisoformat("2026-11-20T12:00"))


async def test_sqlite_commits_to_the_disk(tmp_path: Path) -> None:
    """WAL, every commit synced, foreign keys held."""
    async with (
        Database(f"sqlite:///{tmp_path}/majlis.db") as database,
        database.reading() as connection,
    ):
        pragmas = {
            name: (await connection.execute(text(f"PRAGMA {name}"))).scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


async def test_sqlite_makes_its_folder_and_its_tables_itself(tmp_path: Path) -> None:
    """By several processes at a time, as workers start."""
    url = f"sqlite:///{tmp_path}/new/folder/majlis.db"
    several = [Database(url) for _ in range(4)]
    await asyncio.gather(*(database.prepare() for database in several))
    revisions = {await database.revision() for database in several}
    for database in several:
        await database.close()
    assert revisions == {schema.newest()}


async def test_postgresql_is_never_changed_by_a_start(postgresql: PostgreSQL) -> None:
    """It is refused with the command to run; after that it is taken."""
    async with Database(postgresql.new_database()) as database:
        with pytest.raises(SchemaMismatch, match="majlis db upgrade"):
            await database.prepare()
        assert await database.revision() is None
        await database.upgrade()
        await database.prepare()
        assert await database.revision() == schema.newest()


async def test_upgrading_twice_at_once_is_as_good_as_once(database_url: str) -> None:
    """Under a lock."""
    async with Database(database_url) as one, Database(database_url) as other:
        await asyncio.gather(one.upgrade(), other.upgrade())
        assert await one.revision() == schema.newest()


async def test_a_schema_from_the_future_is_refused(database: Database, database_url: str) -> None:
    """A database that a newer version has changed is not touched."""
    async with database.writing() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    async with Database(database_url) as other:
        with pytest.raises(SchemaMismatch):
            await other.prepare()
        with pytest.raises(SchemaMismatch, match="newer version"):
            await other.upgrade()


@contextmanager
def held(file: Path) -> Iterator[None]:
    """Another process's write lock."""
    connection = sqlite3.connect(file, isolation_level=None)
    try:
        connection.execute("BEGIN EXCLUSIVE")
        yield
    finally:
        connection.close()


async def test_a_locked_file_is_unavailable_until_it_is_let_go(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Without a restart, and with one line of log each way."""
    caplog.set_level("INFO", "app.database")
    file = tmp_path / "majlis.db"
    async with Database(f"sqlite:///{file}", wait_seconds=0.05) as database:
        await make_notes(database)
        with held(file):
            for _ in range(2):
                with pytest.raises(StoreUnavailable):
                    await note(database, 1)
        await note(database, 1)
        assert await noted(database) == 1
    messages = [record.message for record in caplog.records if "database" in record.message]
    assert len(messages) == 2
    assert messages[1] == "The database answers again."


async def test_a_folder_that_cannot_be_made_is_unavailable_until_it_can(tmp_path: Path) -> None:
    """A file stands where the folder should be; then it is gone."""
    obstacle = tmp_path / "var"
    obstacle.write_text("")
    async with Database(f"sqlite:///{obstacle}/majlis.db") as database:
        with pytest.raises(StoreUnavailable):
            await database.prepare()
        obstacle.unlink()
        await make_notes(database)
        assert await noted(database) == 0


async def test_a_file_that_is_no_database_is_unavailable(tmp_path: Path) -> None:
    """And it is left as it is."""
    file = tmp_path / "majlis.db"
    file.write_bytes(b"no database" * 100)
    async with Database(f"sqlite:///{file}") as database:
        with pytest.raises(StoreUnavailable):
            await database.prepare()
    assert file.read_bytes() == b"no database" * 100


async def test_postgresql_gone_is_unavailable_until_it_is_back(postgresql: PostgreSQL) -> None:
    """Connections that died are replaced; no restart of ours."""
    async with Database(postgresql.new_database()) as database:
        await database.upgrade()
        await make_notes(database)
        await note(database, 1)
        postgresql.stop()
        try:
            with pytest.raises(StoreUnavailable):
                await note(database, 2)
        finally:
            postgresql.start()
        await note(database, 3)
        assert await noted(database) == 2
