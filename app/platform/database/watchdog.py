"""The watchdog: detects that a database hangs rather than being slow, and stops the waiting.

A slow transaction starts the probes: one at a time, a trivial query to the server. If the server
answers neither the probe nor any transaction, it hangs: the watchdog ends all transactions in
progress, and refuses new ones at once until a probe is answered.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from time import monotonic

from app.platform.concurrency.circuit_breaker import CircuitBreaker
from app.platform.concurrency.deadline import finishes_within
from app.platform.database.errors import DatabaseHangs

SLOW_SECONDS = 0.2
"""A transaction that takes longer triggers a probe."""
_TIMER_SECONDS = 0.01
"""How much too early a timer may end, which counts in whole milliseconds."""
PROBE_SECONDS = 0.75
"""Maximum time for a probe, including its new connection."""
RETRY_SECONDS = 0.25
"""The pause between probes."""


class Watchdog:
    """Guards the transactions of one database; `probe` sends it any query.

    `on_hang` is called when the database hangs, `on_answer` when it answers again.
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
