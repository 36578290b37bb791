"""The database of a running service: transactions that work, or say that they did not."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from typing import Self

import asyncpg
from sqlalchemy import text
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from app.concurrency.wait_or_stop import wait_or_stop
from app.database import schema
from app.database.backend import Backend
from app.database.engine import WAIT_SECONDS, WRITING
from app.database.errors import DatabaseHangs, SchemaMismatch, StoreUnavailable
from app.database.postgresql import PostgresqlBackend
from app.database.sqlite import SqliteBackend
from app.database.url import sqlite_file
from app.observability.metrics import STORE_AWAY, Sample

log = logging.getLogger(__name__)

_AWAY = (
    *(DBAPIError, PoolTimeout, OSError, sqlite3.Error),
    *(asyncpg.PostgresError, asyncpg.InterfaceError),
)
"""How a database that cannot answer shows itself; OSError has the time-outs among it."""
_OUR_FAULT = (IntegrityError, DataError, ProgrammingError)
"""How a wrong statement shows itself: an error of the service, not of the database."""
_UPGRADE_LOCK = 5_317_001
"""The number of PostgreSQL's advisory lock under which the schema changes."""
_LOOK_AGAIN_SECONDS = 1.0


class Database:
    """Gives transactions; each is on the disk when its block has ended without an error."""

    def __init__(self, url: str, wait_seconds: float = WAIT_SECONDS) -> None:
        file = sqlite_file(url)
        self.is_postgresql = file is None
        """Whether it is PostgreSQL, where several transactions write at a time."""
        self._backend: Backend = (
            PostgresqlBackend(url, wait_seconds, self._hangs, self._found)
            if file is None
            else SqliteBackend(file, wait_seconds)
        )
        self._engine = self._backend.engine
        self._writing_engine = self._engine.execution_options(**WRITING)
        self._preparing = asyncio.Lock()
        self._ready = False
        self._away = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def metrics_samples(self) -> Iterator[Sample]:
        """What metrics tell of it."""
        yield STORE_AWAY, ("database",), float(self._away)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that only reads; raises StoreUnavailable."""
        async with self._reporting(), self._transaction(self._engine) as connection:
            yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that writes, on SQLite the only one at its time.

        Raises StoreUnavailable. Then nothing was acknowledged; if the database failed during the
        commit, it may be stored all the same.
        """
        async with self._reporting(), self._transaction(self._writing_engine) as connection:
            yield connection

    async def prepare(self) -> None:
        """Make sure of the schema: SQLite is brought up to date, PostgreSQL only checked.

        Raises StoreUnavailable, and SchemaMismatch where `majlis db upgrade` is to be run.
        """
        async with self._reporting():
            await self._prepare()

    async def upgrade(self) -> None:
        """Bring the schema to the newest revision; several processes may do so at once."""
        async with self._reporting():
            await self._backend.open()
            await self._upgrade()

    async def revision(self) -> str | None:
        """The revision of the schema, None where there is none; raises StoreUnavailable."""
        async with self._reporting():
            await self._backend.open()
            return await self._revision()

    async def watch(self, stop: asyncio.Event) -> None:
        """Notice that the file was removed or replaced, also while nobody asks, until `stop`."""
        lost = False
        while not stop.is_set():
            lost = lost or not self._backend.is_current
            if lost:
                with suppress(StoreUnavailable, SchemaMismatch):  # the first is logged once
                    await self.prepare()
                    lost = False
            await wait_or_stop(stop, _LOOK_AGAIN_SECONDS)

    async def close(self) -> None:
        """Close every connection."""
        await self._backend.close()

    @asynccontextmanager
    async def _transaction(self, engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
        """Check before the work and after the commit that what is written stays to be found."""
        await self._prepare()
        async with engine.begin() as connection:
            self._backend.check()
            yield connection
        self._backend.check()

    async def _prepare(self) -> None:
        if self._ready and self._backend.is_current:
            return
        async with self._preparing:
            if self._ready and self._backend.is_current:
                return
            self._ready = False
            await self._backend.open()
            if not self.is_postgresql:
                await self._upgrade()
            elif await self._revision() != schema.newest():
                raise SchemaMismatch(
                    "The database has another schema than this version of majlis works with. "
                    "Run `majlis db upgrade`, then start again."
                )
            self._ready = True

    async def _upgrade(self) -> None:
        async with self._backend.schema_lock():
            if await self._revision() != schema.newest():
                await self._migrate()

    async def _migrate(self) -> None:
        async with self._writing_engine.begin() as connection:
            if self.is_postgresql:
                await connection.execute(text(f"SELECT pg_advisory_xact_lock({_UPGRADE_LOCK})"))
            await connection.run_sync(schema.upgrade)

    async def _revision(self) -> str | None:
        async with self._engine.begin() as connection:
            return await connection.run_sync(schema.current)

    @asynccontextmanager
    async def _reporting(self) -> AsyncIterator[None]:
        """Tell apart what the database cannot do now from what it shall never do."""
        try:
            async with self._backend.guarded():
                yield
        except _OUR_FAULT:
            raise
        except _AWAY as error:
            self._lost(error)
            raise StoreUnavailable from error
        self._found()

    def _hangs(self) -> None:
        self._lost(DatabaseHangs())

    def _lost(self, error: Exception) -> None:
        """Look at the schema anew next time, as it may be another database that comes back."""
        self._ready = False
        if not self._away:
            log.error("The database cannot answer: %s: %s", *_cause_of(error))
        self._away = True

    def _found(self) -> None:
        if self._away:
            log.info("The database answers again.")
        self._away = False


def _cause_of(error: Exception) -> tuple[str, str]:
    """The kind of an error and its own words, without the path that the system adds."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig else error
    words = cause.strerror if isinstance(cause, OSError) and cause.strerror else str(cause)
    return type(cause).__name__, words
