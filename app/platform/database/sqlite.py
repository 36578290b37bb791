"""The SQLite backend: a file that each process opens once and checks around each transaction."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, TypeVar, cast

from sqlalchemy import URL, Connection, Engine, QueuePool, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import create_async_engine

from app.platform.database import DatabaseFileChanged
from app.platform.database.sqlite_file import OpenFile, acquire_schema_lock, open_file

_BEGIN = "begin"
WRITING = {_BEGIN: "BEGIN IMMEDIATE"}
"""Execution options of a write transaction, on any database. On SQLite it locks at its start: a
transaction that reads first and locks later may have read outdated rows, and SQLite would refuse
its writes."""
GROUP_PATIENCE = 10
"""How many times longer the writer of a process waits for the lock than other transactions."""

Result = TypeVar("Result")


class SqliteBackend:
    """The backend for an SQLite file, which the first `open` creates if it is missing."""

    errors = (sqlite3.Error,)

    def __init__(self, file: Path, wait_seconds: float) -> None:
        self._path = file.absolute()
        self._wait_seconds = wait_seconds
        self._open: OpenFile | None = None
        self._was_open = False
        # The file must exist: without this mode, SQLite would create it. Statement parameters are
        # personal data, so error messages do not contain them.
        url = URL.create(
            "sqlite", database=self._path.as_uri(), query={"mode": "rw", "uri": "true"}
        )
        patience = GROUP_PATIENCE * wait_seconds
        self.engine = create_async_engine(
            url.set(drivername="sqlite+aiosqlite"), **_options(wait_seconds)
        )
        self._group_engine = create_engine(url, **_options(patience), pool_size=2)
        for engine in (self.engine.sync_engine, self._group_engine):
            event.listen(engine, "connect", _configure)
            event.listen(engine, "begin", _begin)
        self._group_writer = self._group_engine.execution_options(**WRITING)
        # A thread for the writer, which waits for the disk, and one for the reader. They end with
        # this object.
        self._threads = ThreadPoolExecutor(2, "majlis-database")

    @property
    def is_current(self) -> bool:
        """Whether the file at the path is the open one."""
        return self._open is not None and self._open.is_current

    def connections(self) -> Mapping[str, float]:
        """Return nothing: there is no server."""
        return {}

    def check(self) -> None:
        """Raise DatabaseFileChanged if the file was removed or replaced."""
        if self._open is None:
            raise DatabaseFileChanged(f"{self._path.name} is not open.")
        self._open.check()

    async def open(self) -> None:
        """Open the file; raises DatabaseFileChanged if it is in use, or gone since."""
        if self.is_current:
            return
        if self._was_open and not self._path.exists():
            raise DatabaseFileChanged(
                f"{self._path.name} is missing. Put it back, or restore a backup."
            )
        if not self._was_open:
            self._path.parent.mkdir(parents=True, exist_ok=True)
        pools = (self.engine.pool, self._group_engine.pool)
        if any(cast(QueuePool, pool).checkedout() for pool in pools):
            raise DatabaseFileChanged(f"{self._path.name} is still in use.")
        # If the request is cancelled meanwhile, the opened file must still be recorded here.
        await asyncio.shield(asyncio.create_task(self._reopen()))

    async def _reopen(self) -> None:
        async with self.schema_lock():
            if self.is_current:
                return
            await self._release()
            create = not self._was_open
            self._open = await asyncio.to_thread(
                open_file, self._path, self._wait_seconds, create=create
            )
            self._was_open = True

    async def tidy(self) -> None:
        """Empty the -wal in a quiet moment."""
        if self._open is not None:
            with suppress(*self.errors, OSError):  # told by the next transaction
                await asyncio.to_thread(self._open.truncate_wal)

    async def read_group(self, work: Callable[[Connection], Result]) -> Result:
        """Run a transaction in a thread, without a switch of threads for each statement."""
        return await self._in_thread(self._group_engine, work)

    async def write_group(self, work: Callable[[Connection], Result]) -> Result:
        """Do the same with a transaction that writes."""
        return await self._in_thread(self._group_writer, work)

    async def _in_thread(self, engine: Engine, work: Callable[[Connection], Result]) -> Result:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._transact, engine, work)

    def _transact(self, engine: Engine, work: Callable[[Connection], Result]) -> Result:
        with engine.begin() as connection:
            self.check()
            result = work(connection)
        self.check()
        return result

    def guarded(self) -> AbstractAsyncContextManager[None]:
        """Do nothing: waiting for the lock of a file has its own timeout."""
        return nullcontext()

    @asynccontextmanager
    async def schema_lock(self) -> AsyncIterator[None]:
        """Hold the lock file beside the database."""
        with await asyncio.to_thread(acquire_schema_lock, self._path):
            yield

    async def close(self) -> None:
        """Close every connection; the last process to do so removes the -wal."""
        if self._open is None:
            return
        try:
            async with self.schema_lock():
                await self._release()
        except OSError:  # the folder was removed, and the lock file with it
            await self._release()

    async def _release(self) -> None:
        await self.engine.dispose()
        self._group_engine.dispose()
        opened, self._open = self._open, None
        if opened is not None:
            await asyncio.to_thread(opened.close)


def _options(wait_seconds: float) -> dict[str, Any]:
    return {
        "connect_args": {"timeout": wait_seconds},
        "pool_timeout": wait_seconds,
        "hide_parameters": True,
    }


_PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",  # a commit is on disk before it returns
    "PRAGMA foreign_keys = ON",
    "PRAGMA secure_delete = ON",  # what is deleted or anonymised is overwritten in the file
)


def _configure(connection: DBAPIConnection, _record: object) -> None:
    connection.isolation_level = None  # `_begin` sends BEGIN, not the driver
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(pragma)
    cursor.close()


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get(_BEGIN, "BEGIN"))
