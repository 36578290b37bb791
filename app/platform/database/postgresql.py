"""The PostgreSQL backend, with a watchdog for servers that hang."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any, TypeVar
from weakref import WeakSet

import asyncpg
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from app.platform.concurrency.deadline import result_within
from app.platform.database.url import connect_seconds, driver_url
from app.platform.database.watchdog import Watchdog

Result = TypeVar("Result")

STATEMENT_SECONDS = 30
"""Maximum time for one statement."""
_CLOSE_SECONDS = 0.5
_CONNECTIONS = 5


class PostgresqlBackend:
    """The backend for PostgreSQL.

    It calls `on_hang` when the server hangs, and `on_answer` when it answers again.
    """

    is_current = True
    errors = (asyncpg.PostgresError, asyncpg.InterfaceError)

    def __init__(
        self,
        url: str,
        wait_seconds: float,
        on_hang: Callable[[], None],
        on_answer: Callable[[], None],
    ) -> None:
        self._url = driver_url(url)
        self._connect_seconds = connect_seconds(url, wait_seconds)
        self._wait_seconds = wait_seconds
        self._on_hang = on_hang
        self._connections: WeakSet[Any] = WeakSet()
        self._watchdog = Watchdog(self._probe, self._hang, on_answer)
        self.engine = self._engine()
        self._group_engine = self._engine(connections=1)

    def _engine(self, connections: int = _CONNECTIONS) -> AsyncEngine:
        return create_async_engine(
            "postgresql+asyncpg://",
            async_creator=self._connect,
            pool_pre_ping=True,
            pool_size=connections,
            pool_timeout=self._wait_seconds,
            hide_parameters=True,  # parameters are personal data
        )

    async def open(self) -> None:
        """Do nothing: connections are opened on demand."""

    def check(self) -> None:
        """Do nothing: a server cannot be replaced behind its open connections."""

    async def read_group(self, work: Callable[[Connection], Result]) -> Result:
        """Run a transaction of many reads."""
        async with self.engine.begin() as connection:
            return await connection.run_sync(work)

    async def write_group(self, work: Callable[[Connection], Result]) -> Result:
        """Run a transaction of many writes, on a connection of its own."""
        async with self._group_engine.begin() as connection:
            return await connection.run_sync(work)

    def guarded(self) -> AbstractAsyncContextManager[None]:
        """Guard the operation in the block: raises TimeoutError if the server hangs."""
        return self._watchdog.guarded()

    def schema_lock(self) -> AbstractAsyncContextManager[None]:
        """Do nothing: the transaction that changes the schema takes a lock on the server."""
        return nullcontext()

    async def close(self) -> None:
        """Close every connection, gracefully if the server answers."""
        await self._watchdog.close()
        closing = (connection.close(timeout=_CLOSE_SECONDS) for connection in self._connections)
        await asyncio.gather(*closing, return_exceptions=True)
        await self.engine.dispose()
        await self._group_engine.dispose()

    async def _connect(self) -> Any:
        # asyncpg parses the URL itself, including PostgreSQL's own parameters such as sslmode.
        connecting = asyncpg.connect(
            self._url,
            timeout=STATEMENT_SECONDS,
            command_timeout=STATEMENT_SECONDS,
        )
        # asyncpg's own timeout would also count the time in which this process did not run.
        connection = await result_within(
            connecting, self._connect_seconds, asyncpg.Connection.terminate
        )
        self._connections.add(connection)
        return connection

    async def _probe(self) -> None:
        connection = await asyncpg.connect(
            self._url, timeout=self._connect_seconds, command_timeout=self._wait_seconds
        )
        try:
            await connection.execute("SELECT 1")
        finally:
            connection.terminate()

    def _hang(self) -> None:
        for connection in [*self._connections]:
            connection.terminate()  # a graceful close would wait for the server again
        self._on_hang()
