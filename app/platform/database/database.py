"""The database of a running service: transactions, schema preparation and error reporting."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    asynccontextmanager,
    suppress,
)
from functools import partial
from typing import Protocol, Self, TypeVar

from opentelemetry.trace import SpanKind
from sqlalchemy import Connection, MetaData, text
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from app.platform.concurrency.background import wait_or_stop
from app.platform.database import DatabaseHangs, SchemaMismatch, StoreUnavailable
from app.platform.database.metadata import NEWEST, create, current, require_newest
from app.platform.database.sqlite import WRITING, SqliteBackend
from app.platform.database.url import sqlite_file
from app.platform.keys import SharedKey, claim
from app.platform.observability.metrics import DATABASE_CONNECTIONS, STORE_AWAY, Sample
from app.platform.observability.tracing import leaf_span

log = logging.getLogger(__name__)

Result = TypeVar("Result")

WAIT_SECONDS = 3.0
"""Maximum wait for a lock, for a pooled connection, or for a server that does not answer."""
CONNECTIONS = 10
"""Maximum number of connections to PostgreSQL."""
_UNAVAILABLE_ERRORS = (DBAPIError, PoolTimeout, OSError)
"""Errors of a database that cannot answer, besides its driver's; OSError includes timeouts."""
_STATEMENT_ERRORS = (IntegrityError, DataError, ProgrammingError)
"""Errors of a wrong statement: a bug of the service, not a problem of the database."""
_UPGRADE_LOCK = 5_317_001
"""The number of the PostgreSQL advisory lock for schema changes."""
_CHECK_SECONDS = 1.0
"""The interval at which `watch` checks the file."""


class Database:
    """Opens transactions; a transaction is on disk when its block has ended without an error.

    On PostgreSQL it opens no more than so many `connections`, and one more for a moment while the
    server is slow. The keys must be those of the other instances. An empty database gets the
    `tables`, which are imported only then.
    """

    def __init__(
        self,
        url: str,
        wait_seconds: float = WAIT_SECONDS,
        keys: Sequence[SharedKey] = (),
        *,
        connections: int = CONNECTIONS,
        tables: Callable[[], MetaData],
    ) -> None:
        file = sqlite_file(url)
        self._keys = keys
        self._tables = tables
        self.is_postgresql = file is None
        """Whether it is PostgreSQL, which allows several write transactions at a time."""
        self._backend: Backend = (
            self._postgresql(url, wait_seconds, connections)
            if file is None
            else SqliteBackend(file, wait_seconds)
        )
        self._engine = self._backend.engine
        self._writing_engine = self._engine.execution_options(**WRITING)
        self._preparing = asyncio.Lock()
        self._ready = False
        self._was_ready = False
        self._unavailable = False

    def _postgresql(self, url: str, wait_seconds: float, connections: int) -> Backend:
        # Its dialect and its driver take 50 ms to import, which SQLite does not need.
        from app.platform.database.postgresql import PostgresqlBackend  # noqa: PLC0415

        on_hang = partial(self._note_unavailable, DatabaseHangs())
        return PostgresqlBackend(url, wait_seconds, on_hang, self._note_available, connections)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def metrics_samples(self) -> Iterator[Sample]:
        """Yield whether the database is unavailable, and the connections to a server."""
        yield STORE_AWAY, ("database",), float(self._unavailable)
        for state, number in self._backend.connections().items():
            yield DATABASE_CONNECTIONS, (state,), number

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """Open a read-only transaction; raises StoreUnavailable."""
        with self.span("read"):
            async with self._reporting(), self._transaction(self._engine) as connection:
                yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """Open a write transaction; SQLite allows only one at a time.

        After StoreUnavailable the data may be stored nevertheless, if the database failed at the
        commit.
        """
        with self.span("write"):
            async with self._reporting(), self._transaction(self._writing_engine) as connection:
                yield connection

    async def read_group(self, work: Callable[[Connection], Result]) -> Result:
        """Return the result of many reads in one transaction; raises StoreUnavailable."""
        async with self._reporting():
            await self._prepare()
            return await self._backend.read_group(work)

    async def write_group(self, work: Callable[[Connection], Result]) -> Result:
        """Return the result of many writes in one transaction once they are committed.

        It waits longer for a lock than others, as many callers wait for it. Raises
        StoreUnavailable.
        """
        async with self._reporting():
            await self._prepare()
            return await self._backend.write_group(work)

    async def prepare(self) -> None:
        """Upgrade the schema of an SQLite database, or check that of PostgreSQL.

        Raises StoreUnavailable, SchemaMismatch if `majlis db upgrade` must be run, or KeyMismatch.
        """
        async with self._reporting():
            await self._prepare()

    async def upgrade(self) -> None:
        """Upgrade the schema to the newest revision; safe in several processes at once."""
        async with self._reporting():
            await self._backend.open()
            await self._upgrade()

    async def revision(self) -> str | None:
        """Return the revision of the schema, None if there is none; raises StoreUnavailable."""
        async with self._reporting():
            await self._backend.open()
            return await self._revision()

    async def watch(self, stop: asyncio.Event) -> None:
        """Check the file until `stop` is set, without requests: it may be removed, or too large."""
        is_lost = False
        while not stop.is_set():
            is_lost = is_lost or not self._backend.is_current
            if is_lost:
                with suppress(StoreUnavailable, SchemaMismatch):  # the first is logged once
                    await self.prepare()
                    is_lost = False
            await self._backend.tidy()
            await wait_or_stop(stop, _CHECK_SECONDS)

    async def close(self) -> None:
        """Close every connection."""
        await self._backend.close()

    def span(self, operation: str) -> AbstractContextManager[object]:
        """Return the span of a transaction; statements have values, which may be personal."""
        system = "postgresql" if self.is_postgresql else "sqlite"
        attributes = {"db.system.name": system, "db.operation.name": operation}
        return leaf_span(f"database {operation}", SpanKind.CLIENT, attributes)

    @asynccontextmanager
    async def _transaction(self, engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
        """Run a transaction, and check before it and after the commit that the file is current."""
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
            else:
                require_newest(await self._revision())
                if self._keys:
                    await self._backend.write_group(partial(claim, keys=self._keys))
            self._ready = self._was_ready = True

    async def _upgrade(self) -> None:
        async with self._backend.schema_lock():
            if await self._revision() != NEWEST:
                await self._backend.write_group(self._change_schema)

    def _change_schema(self, connection: Connection) -> None:
        """Create the tables, or migrate them, unless another process has done so meanwhile."""
        if self.is_postgresql:
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_UPGRADE_LOCK})"))
        if current(connection) is None:
            create(connection, self._tables())
            return
        # Few starts migrate, and alembic takes longer to import than this check.
        from app.platform.database.migrations import upgrade  # noqa: PLC0415

        upgrade(connection)

    async def _revision(self) -> str | None:
        async with self._engine.begin() as connection:
            return await connection.run_sync(current)

    @asynccontextmanager
    async def _reporting(self) -> AsyncIterator[None]:
        """Turn errors of an unavailable database into StoreUnavailable; re-raise all others.

        After an outage it may have the schema of another version, which is no better.
        """
        try:
            async with self._backend.guarded():
                yield
        except _STATEMENT_ERRORS:
            raise
        except SchemaMismatch as error:
            if not self._was_ready:
                raise
            self._note_unavailable(error)
            raise StoreUnavailable from error
        except _UNAVAILABLE_ERRORS + self._backend.errors as error:
            self._note_unavailable(error)
            raise StoreUnavailable from error
        self._note_available()

    def _note_unavailable(self, error: Exception) -> None:
        """Log the first error, and check the schema next time: it may be another database."""
        self._ready = False
        if not self._unavailable:
            log.error("Database unavailable: %s: %s", *_cause_of(error))
        self._unavailable = True

    def _note_available(self) -> None:
        if self._unavailable:
            log.info("The database is available again.")
        self._unavailable = False


def _cause_of(error: Exception) -> tuple[str, str]:
    """Return the type and the message of an error, without the path that the system adds."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig else error
    message = cause.strerror if isinstance(cause, OSError) and cause.strerror else str(cause)
    return type(cause).__name__, message


class Backend(Protocol):
    """An open database."""

    @property
    def engine(self) -> AsyncEngine:
        """The engine of single transactions."""

    @property
    def errors(self) -> tuple[type[Exception], ...]:
        """The driver's errors of a database that cannot answer."""

    @property
    def is_current(self) -> bool:
        """Whether the open database is the one that the URL names."""

    def check(self) -> None:
        """Raise DatabaseFileChanged if it is not."""

    async def open(self) -> None:
        """Open the database, unless that is done by each connection."""

    async def tidy(self) -> None:
        """Release what writes have left behind, if that disturbs nobody."""

    async def read_group(self, work: Callable[[Connection], Result], /) -> Result:
        """Run a transaction of many reads."""

    async def write_group(self, work: Callable[[Connection], Result], /) -> Result:
        """Run a transaction of many writes, on a connection that nothing else uses."""

    def guarded(self) -> AbstractAsyncContextManager[None]:
        """Guard the operation in the block: raises TimeoutError if the database hangs."""

    def connections(self) -> Mapping[str, float]:
        """Return the number of connections to a server by their state."""

    def schema_lock(self) -> AbstractAsyncContextManager[None]:
        """Hold the lock of changes of the schema."""

    async def close(self) -> None:
        """Close every connection."""
