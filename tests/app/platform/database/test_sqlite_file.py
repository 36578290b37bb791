"""The file of an SQLite database: a removed or replaced file is neither read nor written."""

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
from stores.older_schema import create_at
from stores.sqlite import copy_database

from app.features.orders.store import order_counter
from app.platform.database import StoreUnavailable
from app.platform.database.database import Database
from app.platform.database.metadata import NEWEST
from app.platform.observability.metrics import STORE_AWAY
from app.tables import all_tables

NAME = "majlis.db"


@pytest_asyncio.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    """An open database."""
    async with Database(f"sqlite:///{tmp_path}/{NAME}", tables=all_tables) as opened:
        await opened.prepare()
        yield opened


async def count_orders(database: Database) -> int:
    """Read the counter."""
    async with database.reading() as connection:
        return int((await connection.execute(select(order_counter.c.last_id))).scalar_one())


async def set_counter(database: Database, value: int) -> None:
    """Write the counter."""
    async with database.writing() as connection:
        await connection.execute(update(order_counter).values(last_id=value))


def names(folder: Path) -> list[str]:
    """Return the names of the files in a folder."""
    return [path.name for path in folder.iterdir()]


def modes(folder: Path) -> dict[str, int]:
    """Return the rights of the files of the database."""
    files = (Path(f"{folder / NAME}{suffix}") for suffix in ("", "-wal", "-shm"))
    return {file.name: file.stat().st_mode & 0o777 for file in files}


async def test_nobody_else_may_read_a_new_database(database: Database, tmp_path: Path) -> None:
    """Nor what SQLite keeps beside it: leads are personal data."""
    assert await count_orders(database) == 0
    assert set(modes(tmp_path).values()) == {0o600}


@pytest.mark.parametrize(("before", "after"), [(0o644, 0o600), (0o664, 0o660), (0o600, 0o600)])
async def test_a_database_of_before_becomes_private(
    tmp_path: Path, before: int, after: int
) -> None:
    """Also the -wal that a killed process has left; a group that may write keeps its rights."""
    async with Database(f"sqlite:///{tmp_path}/{NAME}", tables=all_tables) as opened:
        await opened.prepare()
        await set_counter(opened, 7)
        for name in (NAME, f"{NAME}-wal", f"{NAME}-shm"):
            (left := tmp_path / "left" / name).parent.mkdir(exist_ok=True)
            shutil.copyfile(tmp_path / name, left)
            left.chmod(before)
    async with Database(f"sqlite:///{tmp_path}/left/{NAME}", tables=all_tables) as opened:
        assert await count_orders(opened) == 7
        assert set(modes(tmp_path / "left").values()) == {after}


async def test_a_commit_to_a_removed_file_is_not_confirmed(
    database: Database, tmp_path: Path
) -> None:
    """The file is removed during the transaction, after its first check."""
    file = tmp_path / NAME

    async def write() -> None:
        async with database.writing() as connection:
            await connection.execute(update(order_counter).values(last_id=1))
            file.unlink()

    with pytest.raises(StoreUnavailable):
        await write()


async def test_another_process_does_not_create_a_missing_file(
    database: Database, tmp_path: Path
) -> None:
    """Otherwise a command would give the running service an empty database."""
    file = tmp_path / NAME
    file.unlink()
    async with Database(f"sqlite:///{file}", tables=all_tables) as command:
        with pytest.raises(StoreUnavailable) as caught:
            await command.prepare()
    assert "missing" in str(caught.value.__cause__)
    assert not file.exists()


async def test_a_start_creates_a_missing_file(tmp_path: Path) -> None:
    """If no process has the old file open."""
    file = tmp_path / NAME
    for _ in range(2):
        async with Database(f"sqlite:///{file}", tables=all_tables) as database:
            assert await count_orders(database) == 0
            await set_counter(database, 5)
        file.unlink()


async def test_a_new_file_is_not_opened_while_the_old_one_is_in_use(
    database: Database, tmp_path: Path
) -> None:
    """The -wal belongs to the old file. It is renamed when no process uses that file any more."""
    file = tmp_path / NAME
    copy_database(file, tmp_path / "copy.db").replace(file)
    async with Database(f"sqlite:///{file}", tables=all_tables) as other:
        with pytest.raises(StoreUnavailable):
            await count_orders(other)
        await set_counter(database, 7)
        assert await count_orders(other) == 7
    assert sum("-wal.replaced-" in name for name in names(tmp_path)) == 1


async def test_the_old_wal_is_not_applied_to_a_file_replaced_after_a_crash(
    tmp_path: Path,
) -> None:
    """The inode identifies the -wal of the old file."""
    file = tmp_path / NAME
    async with Database(f"sqlite:///{file}", tables=all_tables) as database:
        await set_counter(database, 1)
        copy_database(file, tmp_path / "copy.db")
        await set_counter(database, 2)
        journals = {suffix: Path(f"{file}{suffix}") for suffix in ("-wal", "-shm")}
        for suffix, path in journals.items():
            path.rename(tmp_path / f"kept{suffix}")
        file.rename(tmp_path / "old.db")
    for suffix, path in journals.items():
        (tmp_path / f"kept{suffix}").rename(path)
    (tmp_path / "copy.db").rename(file)
    async with Database(f"sqlite:///{file}", tables=all_tables) as database:
        assert await count_orders(database) == 1


async def test_a_replacement_file_is_upgraded(database: Database, tmp_path: Path) -> None:
    """It may be a backup from an older version."""
    file = tmp_path / NAME
    older = tmp_path / "older.db"
    await create_at(f"sqlite:///{older}", "0023")
    older.replace(file)
    assert await count_orders(database) == 0
    with closing(sqlite3.connect(file)) as connection:
        version = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    assert version == (NEWEST,)


async def test_a_removed_file_is_detected_without_a_request(
    database: Database, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """So is its return; metrics report both."""
    file = tmp_path / NAME
    caplog.set_level("INFO", "app.platform.database")

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


async def test_the_wal_is_emptied_in_quiet_moments(database: Database, tmp_path: Path) -> None:
    """It is the same file then, with which writes go on; while somebody reads, it is kept."""
    wal = tmp_path / f"{NAME}-wal"
    await set_counter(database, 7)
    before = wal.stat()
    assert before.st_size > 0
    stop = asyncio.Event()
    async with database.reading() as connection:
        await connection.execute(select(order_counter.c.last_id))
        watching = asyncio.create_task(database.watch(stop))
        await asyncio.to_thread(lambda: None)
        assert wal.stat().st_size == before.st_size
    await until(lambda: wal.stat().st_size == 0)
    assert wal.stat().st_ino == before.st_ino
    await set_counter(database, 8)
    assert await count_orders(database) == 8
    stop.set()
    await watching


async def test_a_removed_folder_is_not_created_again(
    tmp_path: Path,
) -> None:
    """A folder that appears later is used: it may be a volume that was mounted again."""
    folder = tmp_path / "volume"
    async with Database(f"sqlite:///{folder}/{NAME}", tables=all_tables) as other:
        await set_counter(other, 3)
        backup = copy_database(folder / NAME, tmp_path / "copy.db")
        shutil.rmtree(folder)
        for _ in range(2):
            with pytest.raises(StoreUnavailable):
                await set_counter(other, 4)
        assert not folder.exists()
        folder.mkdir()
        backup.rename(folder / NAME)
        assert await count_orders(other) == 3
