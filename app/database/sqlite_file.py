"""The file of an SQLite database: which one this process has open, and whether it is still there.

SQLite goes on writing to a file that was removed or replaced, and acknowledges what nobody will
find again. Therefore device and inode of the open files are compared with those at the path.

Each process that has the database open holds a shared lock on a file beside it, `….in-use`. What
needs the database alone, such as a restore, holds the lock exclusively. The lock file tells
which files are in use, so that all processes work on the same ones.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path
from typing import NamedTuple, Self

from app.database.errors import DatabaseFileChanged

log = logging.getLogger(__name__)

FileId = tuple[int, int]
"""Device and inode."""


class FileIds(NamedTuple):
    """The three files of a database that is open; None for one that is not there."""

    main: FileId | None
    wal: FileId | None
    shm: FileId | None

    @classmethod
    def at(cls, path: Path) -> FileIds:
        """The files that are at a path now."""
        return cls(*(_file_id(f"{path}{suffix}") for suffix in ("", "-wal", "-shm")))


def _file_id(path: str) -> FileId | None:
    try:
        status = os.stat(path)  # noqa: PTH116  # on each transaction; a Path costs more than it
    except OSError:
        return None
    return status.st_dev, status.st_ino


class UseLock:
    """The lock of those that have a database open: shared by many, or exclusive to one.

    The system releases it when the process ends, however it ends.
    """

    def __init__(self, database: Path) -> None:
        self.path = database.with_name(f"{database.name}.in-use")
        self._handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._handle)

    def try_exclusive(self) -> bool:
        """Take the lock alone; whether nobody else has it."""
        return self._try(fcntl.LOCK_EX)

    def try_shared(self) -> bool:
        """Take the lock together with others, instead of alone; whether that was possible."""
        return self._try(fcntl.LOCK_SH)

    def _try(self, operation: int) -> bool:
        try:
            fcntl.flock(self._handle, operation | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def read(self) -> FileIds | None:
        """Which files are in use, or were last."""
        try:
            ids = json.loads(os.pread(self._handle, 1_024, 0))
            return FileIds(*(each and (each[0], each[1]) for each in ids))
        except (ValueError, TypeError):
            return None

    def write(self, ids: FileIds | None) -> None:
        """Note which files are in use; only for the holder of the exclusive lock."""
        os.ftruncate(self._handle, 0)
        if ids is not None:
            os.pwrite(self._handle, json.dumps(ids).encode(), 0)


class OpenFile:
    """A database file that this process has open, from its opening to `close`.

    Its connection keeps the -wal and the -shm in place as long as it is open.
    """

    def __init__(
        self, path: Path, ids: FileIds, connection: sqlite3.Connection, opened: ExitStack
    ) -> None:
        self._path = path
        self._ids = ids
        self._opened = opened
        self.connection = connection

    @property
    def is_current(self) -> bool:
        """Whether the files at the path are those that are open."""
        return FileIds.at(self._path) == self._ids

    def check(self) -> None:
        """Raise DatabaseFileChanged unless the files at the path are those that are open."""
        now = FileIds.at(self._path)
        if now == self._ids:
            return
        name = self._path.name
        if now.main is None:
            raise DatabaseFileChanged(f"{name} is missing. Put it back, or restore a backup.")
        if now.main != self._ids.main:
            raise DatabaseFileChanged(f"{name} was replaced by another file.")
        raise DatabaseFileChanged(f"{name}-wal or {name}-shm was removed or replaced.")

    def close(self) -> None:
        """Close the connection, then release the lock."""
        self._opened.close()


def open_file(path: Path, wait_seconds: float, *, create: bool) -> OpenFile:
    """Open a database file, for everybody or together with others that have it open.

    `create` makes an empty file if there is none and nobody else has the database open. To be
    called under the schema lock. Raises DatabaseFileChanged, OSError and sqlite3.Error.
    """
    with ExitStack() as opening:
        lock = opening.enter_context(UseLock(path))
        alone = lock.try_exclusive()
        if not alone and not lock.try_shared():
            raise DatabaseFileChanged(f"{path.name} is being restored.")
        _require_file(path, create=create and alone)
        if alone:
            _set_aside_wal(path, lock.read())
        elif lock.read() != FileIds.at(path):
            raise DatabaseFileChanged(
                f"{path.name}, its -wal or its -shm was replaced while another process has it"
                " open. Wait until that has noticed, or restart it."
            )
        before = FileIds.at(path).main
        connection = opening.enter_context(closing(_connect(path, wait_seconds)))
        ids = FileIds.at(path)
        if ids.main != before:
            raise DatabaseFileChanged(f"{path.name} was replaced while it was opened.")
        if alone:
            lock.write(ids)
            lock.try_shared()
        return OpenFile(path, ids, connection, opening.pop_all())


def _require_file(path: Path, *, create: bool) -> None:
    if path.exists():
        return
    if not create:
        raise DatabaseFileChanged(f"{path.name} is missing. Put it back, or restore a backup.")
    path.touch(exist_ok=False)
    log.info("Created %s, as there was no such file.", path.name)


def _connect(path: Path, wait_seconds: float) -> sqlite3.Connection:
    """A connection that has the -wal and the -shm open; it never makes the main file."""
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
    """Rename the -wal of a file that was replaced: SQLite would write it into the new file."""
    now = FileIds.at(path)
    if last is None or now.main == last.main or now.wal is None or now.wal != last.wal:
        return
    wal = Path(f"{path}-wal")
    aside = wal.with_name(f"{wal.name}.replaced-{now.wal[1]}")
    wal.replace(aside)
    Path(f"{path}-shm").unlink(missing_ok=True)
    log.warning("%s was replaced. The -wal of the file before it is now %s.", path.name, aside.name)
