"""Backup and restore of an SQLite database, with integrity checks and without data loss."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from app.database import schema
from app.database.errors import BackupError
from app.database.sqlite_file import UseLock, acquire_schema_lock, open_file, schema_lock_path

_SUFFIXES = ("-wal", "-shm", "-journal")
_TABLE = "leads"


def back_up(database: Path, target: Path, wait_seconds: float, *, overwrite: bool) -> str:
    """Copy a database, which may be in use, and return the revision of its schema.

    Raises BackupError, OSError or sqlite3.Error, and then leaves all files unchanged.
    """
    if not database.is_file():
        raise BackupError(f"{database} does not exist. There is nothing to back up.")
    if target.exists() and target.samefile(database):
        raise BackupError(f"{target} is the database itself. Choose another file.")
    _require_closed(target, "Choose another file, or move it away.")
    _require_absent(target, overwrite)
    with _temporary_file(target, overwrite) as copy:
        with (
            _opened(database, wait_seconds) as connection,
            closing(sqlite3.connect(copy)) as target_connection,
        ):
            connection.backup(target_connection)  # in one step, consistent despite writers
        return _check_revision(copy, database)


def restore(source: Path, database: Path, *, overwrite: bool) -> str:
    """Replace the database with a backup, and return the revision of its schema.

    Raises BackupError, OSError or sqlite3.Error, and then leaves all files unchanged.
    """
    if not source.is_file():
        raise BackupError(f"{source} is missing or not a file.")
    if database.exists() and source.samefile(database):
        raise BackupError(f"{source} is the database itself.")
    _require_closed(source, "The copy was made while in use. Use `majlis db backup` to copy it.")
    database.parent.mkdir(parents=True, exist_ok=True)
    with acquire_schema_lock(database), UseLock(database) as lock:
        if not lock.acquire(exclusive=True):
            raise BackupError(f"{database} is in use. Stop the service and all commands first.")
        _require_closed(database, "Move it away together with its database.")
        _require_absent(database, overwrite)
        with _temporary_file(database, overwrite) as copy:
            shutil.copyfile(source, copy)
            revision = _check_revision(copy, source)
            _keep_owner(database, copy, lock.path, schema_lock_path(database))
        lock.write(None)
        return revision


@contextmanager
def _opened(database: Path, wait_seconds: float) -> Iterator[sqlite3.Connection]:
    """Connect to a database that other processes may have open as well."""
    with acquire_schema_lock(database):
        opened = open_file(database, wait_seconds, create=False)
    try:
        yield opened.connection
    finally:
        with acquire_schema_lock(database):
            opened.close()


def _require_absent(target: Path, overwrite: bool) -> None:
    if target.exists() and not overwrite:
        raise BackupError(f"{target} already exists. Add --force to replace it.")


def _require_closed(database: Path, remedy: str) -> None:
    """Raise BackupError if the newest content may be in a -wal or journal beside the file."""
    for suffix in _SUFFIXES:
        journal = Path(f"{database}{suffix}")
        if journal.exists():
            raise BackupError(f"{journal} exists beside {database.name}. {remedy}")


@contextmanager
def _temporary_file(target: Path, overwrite: bool) -> Iterator[Path]:
    """Create a temporary file that only its owner can read; it replaces the target on success."""
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        yield temporary
        _sync(temporary)
        _rename(temporary, target, overwrite)
    finally:
        for suffix in ("", *_SUFFIXES):
            Path(f"{temporary}{suffix}").unlink(missing_ok=True)
    _sync(target.parent)


def _rename(new: Path, target: Path, overwrite: bool) -> None:
    """Rename a file; without `overwrite`, raises BackupError if the target exists by now."""
    if overwrite:
        new.replace(target)
        return
    try:
        target.hardlink_to(new)
    except FileExistsError:
        _require_absent(target, overwrite)
    except OSError:  # the file system does not support hard links
        new.replace(target)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _check_revision(copy: Path, source: Path) -> str:
    """Check a copy and return its revision; raises BackupError, which names the source."""
    try:
        with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
            # Without a -wal, the copy is a single file.
            connection.execute("PRAGMA journal_mode = DELETE").fetchall()
            problems = [row[0] for row in connection.execute("PRAGMA integrity_check(1)")]
            if problems != ["ok"]:
                raise BackupError(f"{source} is damaged: {problems[0]}")
            return _revision(connection, source)
    except sqlite3.DatabaseError as error:
        raise BackupError(f"{source} is not a valid SQLite database: {error}.") from None


def _revision(connection: sqlite3.Connection, source: Path) -> str:
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema")}
    if not {"alembic_version", _TABLE} <= tables:
        raise BackupError(f"{source} is an SQLite database, but not a majlis database.")
    revisions = [row[0] for row in connection.execute("SELECT version_num FROM alembic_version")]
    if len(revisions) != 1 or revisions[0] not in schema.known_revisions():
        raise BackupError(
            f"{source} has schema {', '.join(revisions) or 'none'}, which this version of majlis"
            " does not support. Install the version that wrote it."
        )
    return str(revisions[0])


def _keep_owner(database: Path, *paths: Path) -> None:
    """If run as root, give the files to the owner of the database or of its folder."""
    if os.geteuid() == 0:
        status = (database if database.exists() else database.parent).stat()
        for path in paths:
            os.chown(path, status.st_uid, status.st_gid)
