"""Backup and restore: which files are accepted, and that a refusal changes nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from app.platform.database import BackupError
from app.platform.database.backup import back_up, restore
from app.platform.database.database import Database
from app.platform.database.metadata import NEWEST
from app.tables import all_tables

WAIT = 1.0


async def create_database(file: Path) -> Path:
    """Create a database with one lead, and close it."""
    async with Database(f"sqlite:///{file}", tables=all_tables) as database:
        await database.prepare()
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(
            "INSERT INTO leads (id, received_at, email, email_folded, quarantined, digest)"
            " VALUES ('1', '2026-01-01', 'a@b.test', 'a@b.test', 0, 'd')"
        )
    return file


def leads(file: Path) -> int:
    """Return the number of leads in a file."""
    with closing(sqlite3.connect(file)) as connection:
        return int(connection.execute("SELECT count(*) FROM leads").fetchone()[0])


def test_a_backup_needs_a_database(tmp_path: Path) -> None:
    """A missing database is not created."""
    with pytest.raises(BackupError, match="nothing to back up"):
        back_up(tmp_path / "majlis.db", tmp_path / "copy.db", WAIT, overwrite=False)
    assert list(tmp_path.iterdir()) == []


async def test_a_backup_is_one_file_for_its_owner(tmp_path: Path) -> None:
    """It can be restored, and no temporary file is left."""
    file, copy = await create_database(tmp_path / "majlis.db"), tmp_path / "copies" / "copy.db"
    copy.parent.mkdir()
    assert back_up(file, copy, WAIT, overwrite=False) == NEWEST
    assert names(copy.parent) == ["copy.db"]
    assert copy.stat().st_mode & 0o777 == 0o600
    restored = tmp_path / "new" / "majlis.db"
    assert restore(copy, restored, overwrite=False) == NEWEST
    assert (leads(file), leads(restored)) == (1, 1)


async def test_files_are_overwritten_only_on_request(tmp_path: Path) -> None:
    """By a backup and by a restore; the database is never its own backup."""
    file, copy = await create_database(tmp_path / "majlis.db"), tmp_path / "copy.db"
    copy.write_text("precious")
    with pytest.raises(BackupError, match="--force"):
        back_up(file, copy, WAIT, overwrite=False)
    assert copy.read_text() == "precious"
    with pytest.raises(BackupError, match="itself"):
        back_up(file, file, WAIT, overwrite=True)
    with pytest.raises(BackupError, match="itself"):
        restore(file, file, overwrite=True)
    back_up(file, copy, WAIT, overwrite=True)
    with pytest.raises(BackupError, match="--force"):
        restore(copy, file, overwrite=False)
    restore(copy, file, overwrite=True)
    assert leads(file) == 1


async def test_an_older_schema_is_backed_up_as_it_is(tmp_path: Path) -> None:
    """A backup is useful before an upgrade."""
    file = await create_database(tmp_path / "majlis.db")
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0023'")
    assert back_up(file, tmp_path / "copy.db", WAIT, overwrite=False) == "0023"


def names(folder: Path) -> list[str]:
    """Return the names of the files in a folder."""
    return sorted(path.name for path in folder.iterdir())


def _write_text(file: Path) -> None:
    file.write_bytes(b"no database" * 1_000)


def _truncate(file: Path) -> None:
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])


def _create_other(file: Path) -> None:
    file.unlink()
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE notes (text TEXT)")


def _set_newer_revision(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")


def _add_wal(file: Path) -> None:
    Path(f"{file}-wal").write_bytes(b"more")


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        pytest.param(Path.unlink, "missing", id="missing"),
        pytest.param(_write_text, "not a valid SQLite database", id="text"),
        pytest.param(_truncate, "damaged|not a valid", id="truncated"),
        pytest.param(_create_other, "not a majlis database", id="another program's"),
        pytest.param(_set_newer_revision, "schema 9999", id="a newer version's"),
        pytest.param(_add_wal, "-wal", id="copied in use"),
    ],
)
async def test_a_restore_refuses_an_invalid_backup(
    tmp_path: Path, spoil: Callable[[Path], None], message: str
) -> None:
    """The database is unchanged."""
    file, copy = await create_database(tmp_path / "majlis.db"), tmp_path / "copy.db"
    back_up(file, copy, WAIT, overwrite=False)
    content = file.read_bytes()
    spoil(copy)
    before = names(tmp_path)
    with pytest.raises(BackupError, match=message):
        restore(copy, file, overwrite=True)
    assert file.read_bytes() == content
    assert names(tmp_path) == before


@pytest.mark.parametrize("suffix", ["-wal", "-shm", "-journal"])
async def test_a_restore_refuses_leftover_journals(tmp_path: Path, suffix: str) -> None:
    """Also if the database itself was removed."""
    file, copy = await create_database(tmp_path / "majlis.db"), tmp_path / "copy.db"
    back_up(file, copy, WAIT, overwrite=False)
    file.unlink()
    file.with_name(f"{file.name}{suffix}").write_bytes(b"left")
    with pytest.raises(BackupError, match=suffix):
        restore(copy, file, overwrite=True)
    assert not file.exists()


async def test_a_restore_refuses_a_database_in_use(tmp_path: Path) -> None:
    """Only as long as a process has it open."""
    file, copy = await create_database(tmp_path / "majlis.db"), tmp_path / "copy.db"
    async with Database(f"sqlite:///{file}", tables=all_tables) as database:
        await database.prepare()
        back_up(file, copy, WAIT, overwrite=False)
        with pytest.raises(BackupError, match="in use"):
            restore(copy, file, overwrite=True)
    assert restore(copy, file, overwrite=True) == NEWEST
