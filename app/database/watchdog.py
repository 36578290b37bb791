"""The watchdog: tells a database that hangs from one that is slow, and ends the waiting.

A transaction that takes long raises the suspicion. One probe at a time then asks the server a
trivial question. If the server answers neither the probe nor any transaction, it hangs: all
transactions under way are ended, and new ones are refused at once until a probe is answered.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from time import monotonic

from app.concurrency.circuit_breaker import CircuitBreaker
from app.concurrency.deadline import finishes_within
from app.database.errors import DatabaseHangs

SLOW_SECONDS = 0.2
"""A transaction that takes longer leads to a probe."""
PROBE_SECONDS = 0.75
"""How long a probe may take, a new connection included."""
RETRY_SECONDS = 0.25
"""The pause between probes."""


class Watchdog:
    """Guards the transactions of one database; `probe` asks it anything.

    `on_hang` is called when the database is found to hang, `on_answer` when it answers again.
    """

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
        self._began: dict[asyncio.Timeout, float] = {}
        self._answered_at = monotonic()
        self._watching: asyncio.Task[None] | None = None

    @property
    def is_hanging(self) -> bool:
        """Whether transactions are refused."""
        return self._breaker.is_open

    @asynccontextmanager
    async def guarded(self) -> AsyncIterator[None]:
        """Run a transaction in the block; raises TimeoutError if the database hangs."""
        if self._breaker.is_open:
            raise DatabaseHangs
        timer = asyncio.get_running_loop().call_later(SLOW_SECONDS, self._suspect)
        async with asyncio.timeout(None) as limit:
            self._began[limit] = monotonic()
            try:
                yield
            finally:
                timer.cancel()
                self._began.pop(limit, None)
        self._answered_at = monotonic()

    async def close(self) -> None:
        """Stop watching."""
        if self._watching is not None:
            self._watching.cancel()
            with suppress(asyncio.CancelledError):
                await self._watching

    def _suspect(self) -> None:
        if self._watching is None or self._watching.done():
            self._watching = asyncio.create_task(self._watch())

    async def _watch(self) -> None:
        """Probe again and again while the database hangs, or a transaction takes long."""
        while self._breaker.is_open or self._is_slow():
            await self._look()
            await asyncio.sleep(RETRY_SECONDS)

    def _is_slow(self) -> bool:
        """Whether a transaction takes long; the first in the dictionary began first."""
        return any(monotonic() - began >= SLOW_SECONDS for began in [*self._began.values()][:1])

    async def _look(self) -> None:
        asked_at = monotonic()
        probe = asyncio.ensure_future(self._probe())
        try:
            answered = await finishes_within(probe, PROBE_SECONDS)
        finally:
            probe.cancel()
            await asyncio.wait({probe})
        succeeded = not probe.cancelled() and probe.exception() is None
        if succeeded:
            self._closed()
        elif not answered and self._answered_at < asked_at:
            self._opened()

    def _closed(self) -> None:
        if self._breaker.succeed():
            self._on_answer()

    def _opened(self) -> None:
        if self._breaker.fail():
            self._on_hang()
            now = asyncio.get_running_loop().time()
            for limit in self._began:
                limit.reschedule(now)  # which ends its transaction with a TimeoutError
            self._began.clear()
