"""The database: the same guarantees on SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Column, Connection, Integer, MetaData, Table, func, insert, select, text
from sqlalchemy.exc import IntegrityError, StatementError
from sqlalchemy.ext.asyncio import AsyncConnection
from stores.postgresql import PostgreSQL

from app.features.changes.log import changes
from app.features.editions.store import _locked
from app.features.leads.tables import leads
from app.features.orders.store import order_counter, orders
from app.platform.database import SchemaMismatch, StoreUnavailable
from app.platform.database import postgresql as database_server
from app.platform.database.database import Database
from app.platform.database.inspection import inspect
from app.platform.database.metadata import (
    NEWEST,
    UtcDateTime,
    lock_digests,
    try_to_lock_digests,
)
from app.platform.deliveries.tables import deliveries
from app.tables import all_tables

notes = Table(
    "notes", MetaData(), Column("id", Integer, primary_key=True), Column("at", UtcDateTime)
)


async def create_notes(database: Database) -> None:
    """Create a table for the tests."""
    async with database.writing() as connection:
        await connection.run_sync(notes.create)


async def insert_note(database: Database, number: int, at: datetime | None = None) -> None:
    """Insert a row."""
    async with database.writing() as connection:
        await connection.execute(insert(notes).values(id=number, at=at))


async def count_notes(database: Database) -> int:
    """Return the number of rows."""
    async with database.reading() as connection:
        return (await connection.execute(select(func.count()).select_from(notes))).scalar_one()


async def test_the_migrations_create_the_tables_of_the_code(database: Database) -> None:
    """Alembic finds no difference; other tests compare the types."""

    def differences(connection: Connection) -> object:
        options = {"compare_type": False, "compare_server_default": True}
        context = MigrationContext.configure(connection, opts=options)
        assert leads.metadata is orders.metadata is deliveries.metadata is changes.metadata
        return compare_metadata(context, leads.metadata)

    async with database.reading() as connection:
        assert await connection.run_sync(differences) == []


async def test_a_transaction_is_committed_unless_it_fails(database: Database) -> None:
    """It is stored completely or not at all."""
    await create_notes(database)
    await insert_note(database, 1)

    async def fail() -> None:
        async with database.writing() as connection:
            await connection.execute(insert(notes).values(id=2))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    assert await count_notes(database) == 1


async def test_concurrent_writers_all_succeed(database: Database) -> None:
    """They wait for each other."""
    await create_notes(database)
    await asyncio.gather(*(insert_note(database, number) for number in range(50)))
    assert await count_notes(database) == 50


async def test_a_wrong_statement_does_not_make_the_database_unavailable(
    database: Database,
) -> None:
    """A retry would not help; the message does not contain the values."""
    await create_notes(database)
    await insert_note(database, 7_654_321)
    with pytest.raises(IntegrityError) as caught:
        await insert_note(database, 7_654_321)
    assert "7654321" not in str(caught.value.orig).partition("DETAIL")[0]
    assert "parameters" in str(caught.value)
    assert await count_notes(database) == 1


async def test_a_date_time_is_read_back_in_utc(database: Database) -> None:
    """With microseconds, from any time zone."""
    await create_notes(database)
    at = datetime(2026, 11, 20, 15, 30, 1, 234_567, timezone(timedelta(hours=4)))
    await insert_note(database, 1, at)
    async with database.reading() as connection:
        stored = (await connection.execute(select(notes.c.at))).scalar_one()
    assert stored == at
    assert stored.tzinfo is UTC


async def test_a_date_time_without_a_zone_is_refused(database: Database) -> None:
    """It would be ambiguous."""
    await create_notes(database)
    with pytest.raises(StatementError, match="time zone"):
        await insert_note(database, 1, datetime.fromisoformat("2026-11-20T12:00"))


async def test_sqlite_commits_to_the_disk(tmp_path: Path) -> None:
    """WAL mode, every commit synced, foreign keys enforced."""
    async with (
        Database(f"sqlite:///{tmp_path}/majlis.db", tables=all_tables) as database,
        database.reading() as connection,
    ):
        pragmas = {
            name: (await connection.execute(text(f"PRAGMA {name}"))).scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


async def test_sqlite_creates_its_folder_and_tables(tmp_path: Path) -> None:
    """Also by several processes at once, as workers start together."""
    url = f"sqlite:///{tmp_path}/new/folder/majlis.db"
    databases = [Database(url, tables=all_tables) for _ in range(4)]
    await asyncio.gather(*(database.prepare() for database in databases))
    revisions = {await database.revision() for database in databases}
    for database in databases:
        await database.close()
    assert revisions == {NEWEST}


async def test_a_start_never_changes_postgresql(postgresql: PostgreSQL) -> None:
    """It fails with a message that names the command, and succeeds after an upgrade."""
    async with Database(postgresql.new_database(), tables=all_tables) as database:
        with pytest.raises(SchemaMismatch, match="majlis db upgrade"):
            await database.prepare()
        assert await database.revision() is None
        await database.upgrade()
        await database.prepare()
        assert await database.revision() == NEWEST


async def test_parameters_of_libpq_are_followed(postgresql: PostgreSQL) -> None:
    """Also those that the driver does not know, or that the service has a default for."""
    given = "connect_timeout=2&application_name=site&options=-c%20statement_timeout%3D5s"
    url = f"{postgresql.migrated_database()}&{given}"
    async with Database(url, tables=all_tables) as database, database.reading() as connection:
        shown = [
            await connection.scalar(text(f"SHOW {name}"))
            for name in ("application_name", "statement_timeout")
        ]
    assert shown == ["site", "5s"]
    assert (await inspect(url, 3)).revision == NEWEST


async def test_concurrent_upgrades_succeed(database_url: str) -> None:
    """A lock serializes them."""
    async with (
        Database(database_url, tables=all_tables) as one,
        Database(database_url, tables=all_tables) as other,
    ):
        await asyncio.gather(one.upgrade(), other.upgrade())
        assert await one.revision() == NEWEST


async def test_a_newer_schema_is_refused(database: Database, migrated_url: str) -> None:
    """The database of a newer version is not changed."""
    async with database.writing() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    async with Database(migrated_url, tables=all_tables) as other:
        with pytest.raises(SchemaMismatch, match="newer version"):
            await other.prepare()
        with pytest.raises(SchemaMismatch, match="newer version"):
            await other.upgrade()
    assert await database.revision() == "9999"


async def test_after_an_outage_another_schema_is_an_unavailable_database(
    postgresql: PostgreSQL,
) -> None:
    """An old worker goes on while the schema is upgraded; it has to look again after that."""
    url = postgresql.new_database()
    set_revision = text("UPDATE alembic_version SET version_num = :revision")
    async with (
        Database(url, tables=all_tables) as old,
        Database(url, tables=all_tables) as other,
    ):
        await old.upgrade()
        await create_notes(old)
        async with other.writing() as connection:
            await connection.execute(set_revision, {"revision": "9999"})
        await insert_note(old, 1)
        postgresql.stop()
        try:
            with pytest.raises(StoreUnavailable):
                await insert_note(old, 2)
        finally:
            postgresql.start()
        with pytest.raises(StoreUnavailable):
            await insert_note(old, 2)
        async with other.writing() as connection:
            await connection.execute(set_revision, {"revision": NEWEST})
        await insert_note(old, 2)
        assert await count_notes(old) == 2


@contextmanager
def write_lock(file: Path) -> Iterator[None]:
    """Hold the write lock, as another process might."""
    connection = sqlite3.connect(file, isolation_level=None)
    try:
        connection.execute("BEGIN EXCLUSIVE")
        yield
    finally:
        connection.close()


async def test_a_locked_file_is_unavailable_until_the_lock_is_released(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It recovers without a restart, and logs one line at the start and one at the end."""
    caplog.set_level("INFO", "app.platform.database")
    file = tmp_path / "majlis.db"
    async with Database(f"sqlite:///{file}", wait_seconds=0.05, tables=all_tables) as database:
        await create_notes(database)
        with write_lock(file):
            for _ in range(2):
                with pytest.raises(StoreUnavailable):
                    await insert_note(database, 1)
        await insert_note(database, 1)
        assert await count_notes(database) == 1
    messages = [record.message for record in caplog.records if "vailable" in record.message]
    assert len(messages) == 2
    assert messages[1] == "The database is available again."


async def test_the_database_recovers_when_its_folder_can_be_created(tmp_path: Path) -> None:
    """A file with the name of the folder is in the way at first."""
    obstacle = tmp_path / "var"
    obstacle.write_text("")
    async with Database(f"sqlite:///{obstacle}/majlis.db", tables=all_tables) as database:
        with pytest.raises(StoreUnavailable):
            await database.prepare()
        obstacle.unlink()
        await create_notes(database)
        assert await count_notes(database) == 0


async def test_a_file_that_is_not_a_database_is_unavailable(tmp_path: Path) -> None:
    """The file is unchanged."""
    file = tmp_path / "majlis.db"
    file.write_bytes(b"no database" * 100)
    async with Database(f"sqlite:///{file}", tables=all_tables) as database:
        with pytest.raises(StoreUnavailable):
            await database.prepare()
    assert file.read_bytes() == b"no database" * 100


async def test_the_database_recovers_when_postgresql_is_back(postgresql: PostgreSQL) -> None:
    """Broken connections are replaced without a restart."""
    async with Database(postgresql.new_database(), tables=all_tables) as database:
        await database.upgrade()
        await create_notes(database)
        await insert_note(database, 1)
        postgresql.stop()
        try:
            with pytest.raises(StoreUnavailable):
                await insert_note(database, 2)
        finally:
            postgresql.start()
        await insert_note(database, 3)
        assert await count_notes(database) == 2


Lock = Callable[[AsyncConnection], Awaitable[object]]


def of_digests(function: Callable[..., object]) -> Lock:
    """Return what locks a digest by a function."""
    return lambda connection: connection.run_sync(function, {"ab" * 32})


async def counted(connection: AsyncConnection) -> None:
    """Lock the counter of orders."""
    await connection.execute(select(order_counter).with_for_update())


async def test_only_write_transactions_may_not_stand_still(postgresql: PostgreSQL) -> None:
    """One that only reads locks nothing, and may wait for who reads its rows."""
    url = await asyncio.to_thread(postgresql.migrated_database)
    async with Database(url, tables=all_tables) as database:
        show = text("SHOW idle_in_transaction_session_timeout")
        async with database.writing() as connection:
            assert await connection.scalar(show) == "5s"
        async with database.reading() as connection:
            assert await connection.scalar(show) == "0"
        assert await database.write_group(lambda connection: connection.scalar(show)) == "5s"
        assert await database.read_group(lambda connection: connection.scalar(show)) == "0"


@pytest.mark.parametrize(
    ("held", "waited"),
    [
        pytest.param(_locked, _locked, id="switch of machines"),
        pytest.param(of_digests(lock_digests), of_digests(lock_digests), id="digests"),
        pytest.param(of_digests(try_to_lock_digests), of_digests(lock_digests), id="tried"),
        pytest.param(counted, counted, id="orders"),
    ],
)
async def test_a_process_that_stands_still_holds_nobody_up(
    held: Lock, waited: Lock, postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server ends its transaction, which it learns when it goes on."""
    monkeypatch.setattr(database_server, "IDLE_SECONDS", 0.3)
    url = await asyncio.to_thread(postgresql.migrated_database)
    went_on = asyncio.Event()
    async with Database(url, tables=all_tables) as one, Database(url, tables=all_tables) as other:

        async def stand_still() -> None:
            async with one.writing() as standing:
                await held(standing)
                async with asyncio.timeout(20), other.writing() as connection:
                    await waited(connection)
                went_on.set()

        with pytest.raises(StoreUnavailable):
            await stand_still()
        assert went_on.is_set()
        async with one.writing() as connection:
            await waited(connection)
