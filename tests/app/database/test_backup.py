"""Backup and restore: what is taken, what is refused, and that a refusal changes nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from app.database import schema
from app.database.backup import back_up, restore
from app.database.database import Database
from app.database.errors import BackupError

WAIT = 1.0


async def made(file: Path) -> Path:
    """A database with one lead, closed."""
    async with Database(f"sqlite:///{file}") as database:
        await database.prepare()
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(
            "INSERT INTO leads (id, received_at, email, email_folded, quarantined, digest)"
            " VALUES ('1', '2026-01-01', 'a@b.test', 'a@b.test', 0, 'd')"
        )
    return file


def leads(file: Path) -> int:
    """How many leads are in a file."""
    with closing(sqlite3.connect(file)) as connection:
        return int(connection.execute("SELECT count(*) FROM leads").fetchone()[0])


def test_a_backup_needs_a_database(tmp_path: Path) -> None:
    """A missing one is not made for it."""
    with pytest.raises(BackupError, match="nothing to back up"):
        back_up(tmp_path / "majlis.db", tmp_path / "copy.db", WAIT, overwrite=False)
    assert list(tmp_path.iterdir()) == []


async def test_a_backup_is_one_file_for_its_owner(tmp_path: Path) -> None:
    """It can be restored; the files needed on the way are gone."""
    file, copy = await made(tmp_path / "majlis.db"), tmp_path / "copies" / "copy.db"
    copy.parent.mkdir()
    assert back_up(file, copy, WAIT, overwrite=False) == schema.newest()
    assert names(copy.parent) == ["copy.db"]
    assert copy.stat().st_mode & 0o777 == 0o600
    elsewhere = tmp_path / "new" / "majlis.db"
    assert restore(copy, elsewhere, overwrite=False) == schema.newest()
    assert (leads(file), leads(elsewhere)) == (1, 1)


async def test_nothing_is_overwritten_unless_it_is_said(tmp_path: Path) -> None:
    """Neither by a backup nor by a restore; the database is never its own backup."""
    file, copy = await made(tmp_path / "majlis.db"), tmp_path / "copy.db"
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
    """As before an upgrade."""
    file = await made(tmp_path / "majlis.db")
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    assert back_up(file, tmp_path / "copy.db", WAIT, overwrite=False) == "0001"


def names(folder: Path) -> list[str]:
    """What is in a folder."""
    return sorted(each.name for each in folder.iterdir())


def _text(file: Path) -> None:
    file.write_bytes(b"no database" * 1_000)


def _cut(file: Path) -> None:
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])


def _other(file: Path) -> None:
    file.unlink()
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE notes (text TEXT)")


def _future(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")


def _in_use(file: Path) -> None:
    Path(f"{file}-wal").write_bytes(b"more")


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        pytest.param(Path.unlink, "missing", id="missing"),
        pytest.param(_text, "not a sound SQLite database", id="text"),
        pytest.param(_cut, "damaged|not a sound", id="cut"),
        pytest.param(_other, "not one of majlis", id="another program's"),
        pytest.param(_future, "schema 9999", id="a newer version's"),
        pytest.param(_in_use, "-wal", id="copied in use"),
    ],
)
async def test_a_restore_refuses_what_is_no_sound_backup(
    tmp_path: Path, spoil: Callable[[Path], None], problem: str
) -> None:
    """The database stays as it is."""
    file, copy = await made(tmp_path / "majlis.db"), tmp_path / "copy.db"
    back_up(file, copy, WAIT, overwrite=False)
    content = file.read_bytes()
    spoil(copy)
    before = names(tmp_path)
    with pytest.raises(BackupError, match=problem):
        restore(copy, file, overwrite=True)
    assert file.read_bytes() == content
    assert names(tmp_path) == before


@pytest.mark.parametrize("suffix", ["-wal", "-shm", "-journal"])
async def test_a_restore_refuses_to_stand_beside_what_is_left(tmp_path: Path, suffix: str) -> None:
    """Also where the database itself is gone."""
    file, copy = await made(tmp_path / "majlis.db"), tmp_path / "copy.db"
    back_up(file, copy, WAIT, overwrite=False)
    file.unlink()
    file.with_name(f"{file.name}{suffix}").write_bytes(b"left")
    with pytest.raises(BackupError, match=suffix):
        restore(copy, file, overwrite=True)
    assert not file.exists()


async def test_a_restore_refuses_a_database_in_use(tmp_path: Path) -> None:
    """As long as anybody has it open, and no longer."""
    file, copy = await made(tmp_path / "majlis.db"), tmp_path / "copy.db"
    async with Database(f"sqlite:///{file}") as database:
        await database.prepare()
        back_up(file, copy, WAIT, overwrite=False)
        with pytest.raises(BackupError, match="in use"):
            restore(copy, file, overwrite=True)
    assert restore(copy, file, overwrite=True) == schema.newest()
