"""Backup and restore of an SQLite database: whole, checked, and never over something in use."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from app.database import schema
from app.database.errors import BackupError
from app.database.file_lock import acquire
from app.database.sqlite_file import UseLock, open_file

_SUFFIXES = ("-wal", "-shm", "-journal")
_TABLE = "leads"


def back_up(database: Path, target: Path, wait_seconds: float, *, overwrite: bool) -> str:
    """Write a copy of a database that may be in use; returns the revision of its schema.

    Raises BackupError, OSError and sqlite3.Error; then nothing has changed.
    """
    if not database.is_file():
        raise BackupError(f"{database} is missing: there is nothing to back up.")
    if target.exists() and target.samefile(database):
        raise BackupError(f"{target} is the database itself. Name another file.")
    _require_closed(target, "Name another file, or move it away.")
    _require_absent(target, overwrite)
    with _written_beside(target, overwrite) as copy:
        with (
            _opened(database, wait_seconds) as connection,
            closing(sqlite3.connect(copy)) as written,
        ):
            connection.backup(written)  # in one step, which writers do not disturb
        return _checked(copy, database)


def restore(source: Path, database: Path, *, overwrite: bool) -> str:
    """Put a backup in the place of the database; returns the revision of its schema.

    Raises BackupError, OSError and sqlite3.Error; then nothing has changed.
    """
    if not source.is_file():
        raise BackupError(f"{source} is missing, or no file.")
    if database.exists() and source.samefile(database):
        raise BackupError(f"{source} is the database itself.")
    _require_closed(source, "It was copied while it was in use. Use `majlis db backup` to copy it.")
    database.parent.mkdir(parents=True, exist_ok=True)
    with closing(acquire(_schema_lock(database))), UseLock(database) as lock:
        if not lock.try_exclusive():
            raise BackupError(f"{database} is in use. Stop the service and all commands first.")
        _require_closed(database, "Move it away together with the database that it belongs to.")
        _require_absent(database, overwrite)
        with _written_beside(database, overwrite) as copy:
            shutil.copyfile(source, copy)
            revision = _checked(copy, source)
            _keep_owner(database, copy, lock.path, _schema_lock(database))
        lock.write(None)
        return revision


@contextmanager
def _opened(database: Path, wait_seconds: float) -> Iterator[sqlite3.Connection]:
    """A connection to a database that others may have open as well."""
    with closing(acquire(_schema_lock(database))):
        opened = open_file(database, wait_seconds, create=False)
    try:
        yield opened.connection
    finally:
        with closing(acquire(_schema_lock(database))):
            opened.close()


def _schema_lock(database: Path) -> Path:
    return database.with_name(f"{database.name}.lock")


def _require_absent(target: Path, overwrite: bool) -> None:
    if target.exists() and not overwrite:
        raise BackupError(f"{target} exists. Add --force to replace it.")


def _require_closed(database: Path, remedy: str) -> None:
    """Refuse a file whose newest content may stand in another one beside it."""
    for suffix in _SUFFIXES:
        beside = Path(f"{database}{suffix}")
        if beside.exists():
            raise BackupError(f"{beside} is beside {database.name}. {remedy}")


@contextmanager
def _written_beside(target: Path, overwrite: bool) -> Iterator[Path]:
    """A new file for the owner alone, which takes the place of the target if all goes well."""
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        yield beside
        _sync(beside)
        _put_in_place(beside, target, overwrite)
    finally:
        for suffix in ("", *_SUFFIXES):
            Path(f"{beside}{suffix}").unlink(missing_ok=True)
    _sync(target.parent)


def _put_in_place(new: Path, target: Path, overwrite: bool) -> None:
    """Rename a file; without `overwrite`, not over one that was made meanwhile."""
    if overwrite:
        new.replace(target)
        return
    try:
        target.hardlink_to(new)
    except FileExistsError:
        _require_absent(target, overwrite)
    except OSError:  # the file system has no links
        new.replace(target)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _checked(copy: Path, named: Path) -> str:
    """The revision of a copy, which is then one file; raises BackupError if it is not sound."""
    try:
        with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE").fetchall()
            found = [row[0] for row in connection.execute("PRAGMA integrity_check(1)")]
            if found != ["ok"]:
                raise BackupError(f"{named} is damaged: {found[0]}")
            return _revision(connection, named)
    except sqlite3.DatabaseError as error:
        raise BackupError(f"{named} is not a sound SQLite database: {error}.") from None


def _revision(connection: sqlite3.Connection, named: Path) -> str:
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema")}
    if not {"alembic_version", _TABLE} <= tables:
        raise BackupError(f"{named} is an SQLite database, but not one of majlis.")
    revisions = [row[0] for row in connection.execute("SELECT version_num FROM alembic_version")]
    if len(revisions) != 1 or revisions[0] not in schema.known():
        raise BackupError(
            f"{named} has schema {', '.join(revisions) or 'none'}, which this version of majlis"
            " does not know. Install the version that wrote it."
        )
    return str(revisions[0])


def _keep_owner(database: Path, *written: Path) -> None:
    """Give files that root writes to the owner of the database, or of its folder."""
    if os.geteuid() == 0:
        status = (database if database.exists() else database.parent).stat()
        for path in written:
            os.chown(path, status.st_uid, status.st_gid)
