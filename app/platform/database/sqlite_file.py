"""The file of an SQLite database: opening it, and checking that it was not removed or replaced.

SQLite keeps writing to a file that was removed or replaced, and confirms commits that are then
lost. Therefore the device and inode of the open files are compared with those at the path.

Each process that has the database open holds a shared lock on a file beside it, `….in-use`. An
operation that needs exclusive access, such as a restore, holds an exclusive lock. The lock file
records which files are in use, so that all processes use the same ones.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
import sqlite3
import stat
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple, Self

from app.platform.database import DatabaseFileChanged

log = logging.getLogger(__name__)

FileId = tuple[int, int]
"""Device and inode."""


class FileIds(NamedTuple):
    """The IDs of the three files of a database; None for a missing file."""

    main: FileId | None
    wal: FileId | None
    shm: FileId | None

    @classmethod
    def at(cls, path: Path) -> FileIds:
        """Return the IDs of the files that are at a path now."""
        return cls(*(_file_id(f"{path}{suffix}") for suffix in ("", "-wal", "-shm")))


def _file_id(path: str) -> FileId | None:
    try:
        status = os.stat(path)  # noqa: PTH116  # runs on each transaction, and a Path costs more than the call
    except OSError:
        return None
    return status.st_dev, status.st_ino


def acquire_schema_lock(database: Path) -> BinaryIO:
    """Wait for the lock file beside a database; closing it releases the lock. Raises OSError."""
    handle = schema_lock_path(database).open("ab")
    fcntl.flock(handle, fcntl.LOCK_EX)
    return handle


def schema_lock_path(database: Path) -> Path:
    """Return the path of the lock file that a process holds while it opens or migrates."""
    return database.with_name(f"{database.name}.lock")


class UseLock:
    """The lock of processes that have a database open, shared or exclusive, until they end."""

    def __init__(self, database: Path) -> None:
        self.path = database.with_name(f"{database.name}.in-use")
        self._handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._handle)

    def acquire(self, *, exclusive: bool) -> bool:
        """Try to acquire the lock, or to downgrade it; return whether that succeeded."""
        operation = fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH
        try:
            fcntl.flock(self._handle, operation | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def read(self) -> FileIds | None:
        """Return the IDs of the files that are in use or were last in use."""
        try:
            ids = json.loads(os.pread(self._handle, 1_024, 0))
            return FileIds(*(file_id and (file_id[0], file_id[1]) for file_id in ids))
        except (ValueError, TypeError):
            return None

    def write(self, ids: FileIds | None) -> None:
        """Record which files are in use; requires the exclusive lock."""
        os.ftruncate(self._handle, 0)
        if ids is not None:
            os.pwrite(self._handle, json.dumps(ids).encode(), 0)


class OpenFile:
    """A database file that this process has open, with its -wal and -shm, until `close`."""

    def __init__(
        self, path: Path, ids: FileIds, connection: sqlite3.Connection, opened: ExitStack
    ) -> None:
        self._path = path
        self._ids = ids
        self._opened = opened
        self.connection = connection
        self._wal_seen: tuple[int, int] | None = None

    @property
    def is_current(self) -> bool:
        """Whether the files at the path are the open ones."""
        return FileIds.at(self._path) == self._ids

    def check(self) -> None:
        """Raise DatabaseFileChanged unless the files at the path are the open ones."""
        current = FileIds.at(self._path)
        if current == self._ids:
            return
        name = self._path.name
        if current.main is None:
            raise DatabaseFileChanged(f"{name} is missing. Put it back, or restore a backup.")
        if current.main != self._ids.main:
            raise DatabaseFileChanged(f"{name} was replaced by another file.")
        raise DatabaseFileChanged(f"{name}-wal or {name}-shm was removed or replaced.")

    def truncate_wal(self) -> None:
        """Empty the -wal if nobody has written since the last call, and nobody reads or writes now.

        Otherwise it stays as large as the longest burst of writes has made it.
        """
        wal = Path(f"{self._path}-wal").stat()
        seen, self._wal_seen = self._wal_seen, (wal.st_size, wal.st_mtime_ns)
        if wal.st_size and seen == self._wal_seen and self.is_current:
            self.connection.execute("PRAGMA busy_timeout = 0")  # a later call tries again
            self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def close(self) -> None:
        """Close the connection, then release the lock."""
        self._opened.close()


def open_file(path: Path, wait_seconds: float, *, create: bool) -> OpenFile:
    """Open a database file; other processes may have it open already.

    With `create`, a missing file is created, unless another process has the database open. The
    caller must hold the schema lock. Raises DatabaseFileChanged, OSError and sqlite3.Error.
    """
    with ExitStack() as stack:
        lock = stack.enter_context(UseLock(path))
        is_first = lock.acquire(exclusive=True)
        if not is_first and not lock.acquire(exclusive=False):
            raise DatabaseFileChanged(f"{path.name} is being restored.")
        _require_file(path, create=create and is_first)
        if is_first:
            _make_private(path)
            _set_aside_wal(path, lock.read())
        elif lock.read() != FileIds.at(path):
            raise DatabaseFileChanged(
                f"{path.name}, its -wal or its -shm was replaced while another process has it"
                " open. Wait until that process has detected it, or restart the process."
            )
        before = FileIds.at(path).main
        connection = stack.enter_context(closing(_connect(path, wait_seconds)))
        ids = FileIds.at(path)
        if ids.main != before:
            raise DatabaseFileChanged(f"{path.name} was replaced while it was opened.")
        if is_first:
            lock.write(ids)
            lock.acquire(exclusive=False)
        return OpenFile(path, ids, connection, stack.pop_all())


def _require_file(path: Path, *, create: bool) -> None:
    if path.exists():
        return
    if not create:
        raise DatabaseFileChanged(f"{path.name} is missing. Put it back, or restore a backup.")
    path.touch(0o600, exist_ok=False)
    log.info("Created %s because it did not exist", path.name)


def _make_private(path: Path) -> None:
    """Take the rights of other users from the files of a database, which hold personal data.

    A group that may write keeps its rights: without them it could not use the database at all.
    SQLite makes the -wal and the -shm with the rights of the database.
    """
    for suffix in ("", "-wal", "-shm"):
        file = Path(f"{path}{suffix}")
        with suppress(FileNotFoundError, PermissionError):  # it may belong to another user
            mode = stat.S_IMODE(file.stat().st_mode)
            private = mode & (0o660 if mode & stat.S_IWGRP else 0o600)
            if mode != private:
                file.chmod(private)


def _connect(path: Path, wait_seconds: float) -> sqlite3.Connection:
    """Open a connection together with the -wal and the -shm; never creates the main file."""
    connection = sqlite3.connect(
        f"{path.as_uri()}?mode=rw",
        uri=True,
        timeout=wait_seconds,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        connection.execute("PRAGMA journal_mode = WAL").fetchall()
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _set_aside_wal(path: Path, last: FileIds | None) -> None:
    """Rename the -wal of a replaced file, which SQLite would otherwise apply to the new file."""
    current = FileIds.at(path)
    if last is None or current.main == last.main:
        return
    if current.wal is None or current.wal != last.wal:
        return
    wal = Path(f"{path}-wal")
    aside = wal.with_name(f"{wal.name}.replaced-{current.wal[1]}")
    wal.replace(aside)
    Path(f"{path}-shm").unlink(missing_ok=True)
    log.warning("%s was replaced. The -wal of the old file is now %s.", path.name, aside.name)
