"""PostgreSQL: its servers, its engine, and the watchdog that finds out when it hangs or is gone.

A slow transaction starts the probes: one at a time, a trivial query to the server. If the server
answers neither the probe nor any transaction, it hangs: the watchdog ends all transactions in
progress, and refuses new ones at once until a probe is answered.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext, suppress
from itertools import product
from time import monotonic
from typing import Any, TypeVar
from weakref import WeakSet

import asyncpg
from sqlalchemy import Connection, event
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from app.platform.concurrency.guards import CircuitBreaker, finishes_within, result_within
from app.platform.database import DatabaseHangs
from app.platform.database.sqlite import WRITING
from app.platform.database.url import connect_seconds, driver_urls

STATEMENT_SECONDS = 30
"""Maximum time for one statement."""
IDLE_SECONDS = 5.0
"""How long a process may stand still in a write transaction, as one whose machine is paused or gone
does. Then the server ends it: what it has locked would keep others waiting for as long."""
_HASTE_SECONDS = 0.3
"""How long each of several servers is waited for at first: one may have vanished."""
_ELSEWHERE = (OSError, asyncpg.CannotConnectNowError, asyncpg.TargetServerAttributeNotMatched)
"""Errors of a server instead of which another one may answer."""


class Servers:
    """The servers of a URL, of which the one that answered last is asked first."""

    def __init__(self, url: str, connect_seconds: float) -> None:
        self._urls = deque(driver_urls(url))
        self._connect_seconds = connect_seconds

    async def connect(self, **options: Any) -> Any:
        """Return a connection to one of them; of several, all are asked in haste before."""
        haste = [_HASTE_SECONDS] if len(self._urls) > 1 else []
        failure: BaseException = asyncpg.InterfaceError("the URL names no server")
        for seconds, url in product((*haste, self._connect_seconds), (*self._urls,)):
            # asyncpg's own timeout would also count the time in which this process did not run.
            connecting = asyncpg.connect(url, timeout=STATEMENT_SECONDS, **options)
            try:
                return await result_within(connecting, seconds, asyncpg.Connection.terminate)
            except BaseException as error:
                if self._urls[0] == url:  # also if the caller does not wait any longer
                    self._urls.rotate(-1)
                if not isinstance(error, _ELSEWHERE):
                    raise
                failure = error
        raise failure


Result = TypeVar("Result")

_CLOSE_SECONDS = 0.5
POOLED: Mapping[str, Any] = {"statement_cache_size": 0}
"""A pooler may run each transaction on another connection, on which statements have no name."""


class PostgresqlBackend:
    """The backend for PostgreSQL; `on_hang` and `on_answer` are called when the server does so."""

    is_current = True
    errors = (asyncpg.PostgresError, asyncpg.InterfaceError)

    def __init__(
        self,
        url: str,
        wait_seconds: float,
        on_hang: Callable[[], None],
        on_answer: Callable[[], None],
        connections: int,
    ) -> None:
        self._servers = Servers(url, connect_seconds(url, wait_seconds))
        self._wait_seconds = wait_seconds
        self.is_pooled: bool | None = None
        """Whether a pooler such as PgBouncer is between; None before the first connection."""
        self._on_hang = on_hang
        self._connections: WeakSet[Any] = WeakSet()
        self._watchdog = Watchdog(self._probe, self._hang, on_answer)
        self.engine = self._engine(connections - 1)
        self._group_engine = self._engine(1)
        self._group_writer = self._group_engine.execution_options(**WRITING)

    def _engine(self, connections: int) -> AsyncEngine:
        def connect() -> Any:
            return engine.dialect.loaded_dbapi.connect(
                async_creator_fn=self._connect,
                # Statements have no name through a pooler, else one of their own.
                prepared_statement_name_func=lambda: "" if self.is_pooled else None,
            )

        engine = create_async_engine(
            "postgresql+asyncpg://",
            creator=connect,
            pool_pre_ping=True,
            pool_size=connections,
            max_overflow=0,
            pool_timeout=self._wait_seconds,
            hide_parameters=True,  # parameters are personal data
        )
        event.listen(engine.sync_engine, "begin", _begin)
        return engine

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
        async with self._group_writer.begin() as connection:
            return await connection.run_sync(work)

    async def tidy(self) -> None:
        """Do nothing: the server does it."""

    def guarded(self) -> AbstractAsyncContextManager[None]:
        """Guard the operation in the block: raises TimeoutError if the server hangs."""
        return self._watchdog.guarded()

    def connections(self) -> Mapping[str, float]:
        """Return how many connections are open, in use and allowed."""
        pools: list[Any] = [engine.pool for engine in (self.engine, self._group_engine)]
        in_use = sum(pool.checkedout() for pool in pools)
        is_open = in_use + sum(pool.checkedin() for pool in pools)
        return {"open": is_open, "in_use": in_use, "allowed": sum(pool.size() for pool in pools)}

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
        if self.is_pooled is None:
            self.is_pooled = await self._finds_pooler()
        connection = await self._servers.connect(
            command_timeout=STATEMENT_SECONDS, **(POOLED if self.is_pooled else {})
        )
        self._connections.add(connection)
        return connection

    async def _finds_pooler(self) -> bool:
        """Return whether who accepts connections is another process than who runs statements."""
        connection = await self._servers.connect(command_timeout=self._wait_seconds, **POOLED)
        try:
            process = await connection.fetchval("SELECT pg_backend_pid()")
            return bool(process != connection.get_server_pid())
        finally:
            connection.terminate()

    async def _probe(self) -> None:
        connection = await self._servers.connect(command_timeout=self._wait_seconds)
        try:
            await connection.execute("SELECT 1")
        finally:
            connection.terminate()

    def _hang(self) -> None:
        for connection in [*self._connections]:
            connection.terminate()  # a graceful close would wait for the server again
        for engine in (self.engine, self._group_engine):
            # A checkout that is cancelled while it replaces a connection never returns it: the
            # pool would allow fewer after each hang, at last none.
            engine.sync_engine.dispose(close=False)
        self._on_hang()


def _begin(connection: Connection) -> None:
    """Limit how long a write transaction stands still; a read locks nothing, and may be slow."""
    if WRITING.items() <= connection.get_execution_options().items():
        limit = f"{IDLE_SECONDS * 1_000:.0f}"
        connection.exec_driver_sql(f"SET LOCAL idle_in_transaction_session_timeout = {limit}")


SLOW_SECONDS = 0.2
"""A transaction that takes longer triggers a probe."""
_TIMER_SECONDS = 0.01
"""How much too early a timer may end, which counts in whole milliseconds."""
PROBE_SECONDS = 0.75
"""Maximum time for a probe, including its new connection."""
RETRY_SECONDS = 0.25
"""The pause between probes."""


class Watchdog:
    """Guards transactions; `probe` sends a query, the others are told of the server."""

    def __init__(
        self,
        probe: Callable[[], Awaitable[None]],
        on_hang: Callable[[], None],
        on_answer: Callable[[], None],
    ) -> None:
        self._probe = probe
        self._on_hang = on_hang
        self._on_answer = on_answer
        self._breaker = CircuitBreaker(monotonic, RETRY_SECONDS)
        self._started_at: dict[asyncio.Timeout, float] = {}
        self._answered_at = monotonic()
        self._probing: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def guarded(self) -> AsyncIterator[None]:
        """Guard the transaction in the block: raises TimeoutError if the database hangs."""
        if self._breaker.is_open:
            raise DatabaseHangs
        loop = asyncio.get_running_loop()
        started_at = loop.time()  # before its timer starts, so that it is slow when that ends
        timer = loop.call_later(SLOW_SECONDS, self._start_probing)
        async with asyncio.timeout(None) as limit:
            self._started_at[limit] = started_at
            try:
                yield
            finally:
                timer.cancel()
                self._started_at.pop(limit, None)
        self._answered_at = monotonic()

    async def close(self) -> None:
        """Stop probing."""
        if self._probing is not None:
            self._probing.cancel()
            with suppress(asyncio.CancelledError):
                await self._probing

    def _start_probing(self) -> None:
        if self._probing is None or self._probing.done():
            self._probing = asyncio.create_task(self._probe_repeatedly())

    async def _probe_repeatedly(self) -> None:
        """Probe repeatedly while the database hangs or a transaction is slow."""
        while self._breaker.is_open or self._is_slow():
            await self._probe_once()
            await asyncio.sleep(RETRY_SECONDS)

    def _is_slow(self) -> bool:
        """Return whether the oldest transaction, the first in the dictionary, is slow."""
        oldest = next(iter(self._started_at.values()), None)
        now = asyncio.get_running_loop().time()
        return oldest is not None and now - oldest >= SLOW_SECONDS - _TIMER_SECONDS

    async def _probe_once(self) -> None:
        sent_at = monotonic()
        probe = asyncio.ensure_future(self._probe())
        try:
            answered = await finishes_within(probe, PROBE_SECONDS)
        finally:
            probe.cancel()
            await asyncio.wait({probe})
        succeeded = not probe.cancelled() and probe.exception() is None
        if succeeded:
            if self._breaker.succeed():
                self._on_answer()
        elif not answered and self._answered_at < sent_at:
            self._open_breaker()

    def _open_breaker(self) -> None:
        if self._breaker.fail():
            self._on_hang()
            now = asyncio.get_running_loop().time()
            for limit in self._started_at:
                limit.reschedule(now)  # ends its transaction with a TimeoutError
            self._started_at.clear()
