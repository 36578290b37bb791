"""Backup and restore of an SQLite database, with integrity checks and without data loss."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from app.platform.database import schema
from app.platform.database.errors import BackupError
from app.platform.database.metadata import SELECT, TABLE
from app.platform.database.replacement import (
    JOURNALS,
    keep_owner,
    remove_leftovers,
    replacement,
    require_absent,
)
from app.platform.database.sqlite_file import (
    UseLock,
    acquire_schema_lock,
    open_file,
    schema_lock_path,
)

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
    require_absent(target, overwrite)
    with replacement(target, overwrite=overwrite) as copy:
        with (
            _opened(database, wait_seconds) as connection,
            closing(sqlite3.connect(copy)) as target_connection,
        ):
            connection.backup(target_connection)  # in one step, consistent despite writers
        return check_revision(copy, database)


def restore(source: Path, database: Path, *, overwrite: bool) -> str:
    """Replace the database with a backup, and return the revision of its schema.

    Raises BackupError, OSError or sqlite3.Error, and then leaves all files unchanged.
    """
    if not source.is_file():
        raise BackupError(f"{source} is missing or not a file.")
    if database.exists() and source.samefile(database):
        raise BackupError(f"{source} is the database itself.")
    _require_closed(source, "The copy was made while in use. Use `majlis db backup` to copy it.")
    with replaced_database(database, overwrite=overwrite) as copy:
        shutil.copyfile(source, copy)
        return check_revision(copy, source)


@contextmanager
def replaced_database(database: Path, *, overwrite: bool) -> Iterator[Path]:
    """Create an empty file to write a database to; it replaces the database on success.

    Raises BackupError if a process has the database open, or would have its journal applied.
    """
    database.parent.mkdir(parents=True, exist_ok=True)
    with acquire_schema_lock(database), UseLock(database) as lock:
        if not lock.acquire(exclusive=True):
            raise BackupError(f"{database} is in use. Stop the service and all commands first.")
        _require_closed(database, "Move it away together with its database.")
        require_absent(database, overwrite)
        remove_leftovers(database)
        with replacement(database, overwrite=overwrite) as copy:
            yield copy
            keep_owner(database, copy, lock.path, schema_lock_path(database))
        lock.write(None)


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


def _require_closed(database: Path, remedy: str) -> None:
    """Raise BackupError if the newest content may be in a -wal or journal beside the file."""
    for suffix in JOURNALS:
        journal = Path(f"{database}{suffix}")
        if journal.exists():
            raise BackupError(f"{journal} exists beside {database.name}. {remedy}")


def check_revision(copy: Path, source: Path) -> str:
    """Check a copy and return its revision; raises BackupError, which names the source."""
    try:
        with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
            # Without a -wal, the copy is a single file.
            connection.execute("PRAGMA journal_mode = DELETE").fetchall()
            connection.execute("PRAGMA trusted_schema = OFF")
            problems = [row[0] for row in connection.execute("PRAGMA integrity_check(1)")]
            if problems != ["ok"]:
                raise BackupError(f"{source} is damaged: {problems[0]}")
            return _revision(connection, source)
    except sqlite3.DatabaseError as error:
        raise BackupError(f"{source} is not a valid SQLite database: {error}.") from None


def _revision(connection: sqlite3.Connection, source: Path) -> str:
    kinds = dict(connection.execute("SELECT name, type FROM sqlite_schema").fetchall())
    if not {TABLE, _TABLE} <= kinds.keys():
        raise BackupError(f"{source} is an SQLite database, but not a majlis database.")
    if not set(kinds.values()) <= {"table", "index"}:
        raise BackupError(f"{source} has triggers or views, which no version of majlis creates.")
    revisions = [row[0] for row in connection.execute(SELECT)]
    if len(revisions) != 1 or revisions[0] not in schema.known_revisions():
        raise BackupError(
            f"{source} has schema {', '.join(revisions) or 'none'}, which this version of majlis"
            " does not support. Install the version that wrote it."
        )
    return str(revisions[0])
