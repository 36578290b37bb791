"""The file of an SQLite database: nothing is read from or written to one that is lost."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest
import pytest_asyncio
from live.server import until
from sqlalchemy import select, update
from stores.sqlite import copied

from app.database.database import Database
from app.database.errors import StoreUnavailable
from app.observability.metrics import STORE_AWAY
from app.orders.tables import order_counter

NAME = "majlis.db"


@pytest_asyncio.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    """A database that is open."""
    async with Database(f"sqlite:///{tmp_path}/{NAME}") as opened:
        await opened.prepare()
        yield opened


async def count_orders(database: Database) -> int:
    """A read."""
    async with database.reading() as connection:
        return int((await connection.execute(select(order_counter.c.last_id))).scalar_one())


async def set_counter(database: Database, value: int) -> None:
    """A write."""
    async with database.writing() as connection:
        await connection.execute(update(order_counter).values(last_id=value))


def names(folder: Path) -> list[str]:
    """What is in a folder."""
    return [each.name for each in folder.iterdir()]


async def test_a_commit_into_a_lost_file_is_not_acknowledged(
    database: Database, tmp_path: Path
) -> None:
    """The file goes within the transaction, after it was looked at."""
    file = tmp_path / NAME

    async def write() -> None:
        async with database.writing() as connection:
            await connection.execute(update(order_counter).values(last_id=1))
            file.unlink()

    with pytest.raises(StoreUnavailable):
        await write()


async def test_no_other_process_makes_a_file_that_is_missing(
    database: Database, tmp_path: Path
) -> None:
    """A command would otherwise give the service an empty database."""
    file = tmp_path / NAME
    file.unlink()
    async with Database(f"sqlite:///{file}") as command:
        with pytest.raises(StoreUnavailable) as caught:
            await command.prepare()
    assert "missing" in str(caught.value.__cause__)
    assert not file.exists()


async def test_a_new_start_makes_a_file_that_is_missing(tmp_path: Path) -> None:
    """When nobody has the old one open any more."""
    file = tmp_path / NAME
    for _ in range(2):
        async with Database(f"sqlite:///{file}") as database:
            assert await count_orders(database) == 0
            await set_counter(database, 5)
        file.unlink()


async def test_no_process_opens_a_new_file_while_another_is_at_the_old_one(
    database: Database, tmp_path: Path
) -> None:
    """The -wal at the path belongs to the old one. It is set aside once the last has noticed."""
    file = tmp_path / NAME
    copied(file, tmp_path / "copy.db").replace(file)
    async with Database(f"sqlite:///{file}") as other:
        with pytest.raises(StoreUnavailable):
            await count_orders(other)
        await set_counter(database, 7)
        assert await count_orders(other) == 7
    assert sum("-wal.replaced-" in name for name in names(tmp_path)) == 1


async def test_a_file_that_was_replaced_after_a_death_does_not_get_the_old_wal(
    tmp_path: Path,
) -> None:
    """What is left of the old file shows by its inode."""
    file = tmp_path / NAME
    async with Database(f"sqlite:///{file}") as database:
        await set_counter(database, 1)
        copied(file, tmp_path / "copy.db")
        await set_counter(database, 2)
        left = {suffix: Path(f"{file}{suffix}") for suffix in ("-wal", "-shm")}
        for suffix, path in left.items():
            path.rename(tmp_path / f"kept{suffix}")
        file.rename(tmp_path / "old.db")
    for suffix, path in left.items():
        (tmp_path / f"kept{suffix}").rename(path)
    (tmp_path / "copy.db").rename(file)
    async with Database(f"sqlite:///{file}") as database:
        assert await count_orders(database) == 1


async def test_a_replaced_file_is_brought_up_to_date(database: Database, tmp_path: Path) -> None:
    """It may be a backup of an older version."""
    file = tmp_path / NAME
    older = tmp_path / "older.db"
    copied(file, older)
    with closing(sqlite3.connect(older)) as connection, connection:
        connection.execute("DROP INDEX ix_leads_quarantined")
        connection.execute("DROP TABLE lead_retention")
        connection.execute("UPDATE alembic_version SET version_num = '0003'")
    older.replace(file)
    assert await count_orders(database) == 0
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == ("0004",)


async def test_a_lost_file_is_noticed_without_a_request(
    database: Database, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """And one that comes back, so that metrics tell both."""
    file = tmp_path / NAME
    caplog.set_level("INFO", "app.database")

    stop = asyncio.Event()
    watching = asyncio.create_task(database.watch(stop))
    file.rename(tmp_path / "away.db")
    await until(lambda: [*database.metrics_samples()] == [(STORE_AWAY, ("database",), 1.0)])
    (tmp_path / "away.db").rename(file)
    await until(lambda: [*database.metrics_samples()] == [(STORE_AWAY, ("database",), 0.0)])
    stop.set()
    await watching
    assert [record.levelname for record in caplog.records] == ["ERROR", "INFO"]
    assert str(tmp_path) not in caplog.text


async def test_a_folder_that_was_removed_is_not_made_again(
    tmp_path: Path,
) -> None:
    """What stands in its place later is used: it may be a volume that comes back."""
    folder = tmp_path / "volume"
    async with Database(f"sqlite:///{folder}/{NAME}") as other:
        await set_counter(other, 3)
        backup = copied(folder / NAME, tmp_path / "copy.db")
        shutil.rmtree(folder)
        for _ in range(2):
            with pytest.raises(StoreUnavailable):
                await set_counter(other, 4)
        assert not folder.exists()
        folder.mkdir()
        backup.rename(folder / NAME)
        assert await count_orders(other) == 3
