"""Backups of the database: SQLite's file is copied while it is in use, and replaced as a whole."""

import os
import secrets
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from app.platform.database import BackupError, sqlite_file
from app.platform.database.metadata import SELECT, TABLE, is_known

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
    with sqlite_file.acquire_schema_lock(database), sqlite_file.UseLock(database) as lock:
        if not lock.acquire(exclusive=True):
            raise BackupError(f"{database} is in use. Stop the service and all commands first.")
        _require_closed(database, "Move it away together with its database.")
        require_absent(database, overwrite)
        remove_leftovers(database)
        with replacement(database, overwrite=overwrite) as copy:
            yield copy
            keep_owner(database, copy, lock.path, sqlite_file.schema_lock_path(database))
        lock.write(None)


@contextmanager
def _opened(database: Path, wait_seconds: float) -> Iterator[sqlite3.Connection]:
    """Connect to a database that other processes may have open as well."""
    with sqlite_file.acquire_schema_lock(database):
        opened = sqlite_file.open_file(database, wait_seconds, create=False)
    try:
        yield opened.connection
    finally:
        with sqlite_file.acquire_schema_lock(database):
            opened.close()


JOURNALS = ("-wal", "-shm", "-journal")
"""What SQLite adds to the name of a database, for the files that it keeps beside it."""


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
    if len(revisions) != 1 or not is_known(revisions[0]):
        raise BackupError(
            f"{source} has schema {', '.join(revisions) or 'none'}, which this version of majlis"
            " does not support. Install the version that wrote it."
        )
    return str(revisions[0])


@contextmanager
def replacement(target: Path, *, overwrite: bool) -> Iterator[Path]:
    """Create a temporary file that only its owner can read; it replaces the target on success."""
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        yield temporary
        sync(temporary)
        _rename(temporary, target, overwrite)
    finally:
        for suffix in ("", *JOURNALS):
            Path(f"{temporary}{suffix}").unlink(missing_ok=True)
    sync(target.parent)


def remove_leftovers(target: Path) -> None:
    """Remove the temporary files of replacements that were killed; none may be in progress."""
    for left in target.parent.glob(f".{target.name}.{'[0-9a-f]' * 8}*"):
        left.unlink(missing_ok=True)


def require_absent(target: Path, overwrite: bool) -> None:
    """Raise BackupError if a file exists that must not be replaced."""
    if target.exists() and not overwrite:
        raise BackupError(f"{target} already exists. Add --force to replace it.")


def _rename(new: Path, target: Path, overwrite: bool) -> None:
    """Rename a file; without `overwrite`, raises BackupError if the target exists by now."""
    if overwrite:
        new.replace(target)
        return
    try:
        target.hardlink_to(new)
    except FileExistsError:
        require_absent(target, overwrite)
    except OSError:  # the file system does not support hard links
        new.replace(target)


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def keep_owner(target: Path, *paths: Path) -> None:
    """If run as root, give the files to the owner of the target or of its folder."""
    if os.geteuid() == 0:
        status = (target if target.exists() else target.parent).stat()
        for path in paths:
            os.chown(path, status.st_uid, status.st_gid)
