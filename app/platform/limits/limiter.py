"""The limiter: counts requests in Redis if configured, and alone while Redis is slow or away.

Meanwhile a process takes its share of what a limit leaves, among the processes that are alive. What
it counted alone is counted in Redis as soon as that answers again. A command that takes too long is
not cancelled: its count arrives late.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterator
from contextlib import suppress
from typing import Any, Self, TypeVar

from app.platform.clock import Ticks
from app.platform.concurrency.circuit_breaker import CircuitBreaker
from app.platform.concurrency.deadline import finishes_within
from app.platform.limits.memory_store import MemoryStore
from app.platform.limits.rate_limits import Bucket, Count
from app.platform.limits.shared_store import NotCounted, SharedStore
from app.platform.observability.metrics import STORE_AWAY, Sample

log = logging.getLogger(__name__)

BUDGET_SECONDS = 0.05
"""How long a request waits for its count in Redis."""

RETRY_SECONDS = 1.0
"""Interval between trial calls to a Redis that did not answer in time."""

REGISTER_SECONDS = 5.0
"""How often a process tells the others that it is alive."""

Result = TypeVar("Result")


class Limiter:
    """Counts requests. It never raises, and waits for Redis no longer than `budget_seconds`.

    Requests of a bucket with patience wait so long. They ask Redis also while it is too slow for
    all others.
    """

    def __init__(
        self, ticks: Ticks, redis_url: str = "", budget_seconds: float = BUDGET_SECONDS
    ) -> None:
        self._ticks = ticks
        self._memory = MemoryStore(ticks)
        self._redis = _open_redis(redis_url) if redis_url else None
        self._budget_seconds = budget_seconds
        self._breaker = CircuitBreaker(ticks, RETRY_SECONDS)
        self._tasks: set[asyncio.Task[Any]] = set()

    def hit_nowait(self, bucket: Bucket, client: str) -> Count | None:
        """Count a request in memory, or return None without counting if Redis has to count it."""
        if self._redis is not None and (bucket.patience_seconds or self._breaker.is_ready):
            return None
        return self._count_alone(bucket, client, 1)

    async def hit(self, bucket: Bucket, client: str, by: int = 1) -> Count:
        """Count a request of a client, or with `by=0` only return the count."""
        redis = self._redis
        if redis is None or not (bucket.patience_seconds or self._breaker.admits()):
            return self._count_alone(bucket, client, by)
        began = self._ticks()
        alone = self._memory.hit(bucket, client, by)
        shared = self._start(self._share(redis, bucket, client, by, bucket.seconds))
        in_time = await finishes_within(shared, max(self._budget_seconds, bucket.patience_seconds))
        failure = shared.exception() if in_time else NotCounted(TimeoutError.__name__)
        if failure is not None:
            if self._breaker.fail():
                log.error("Redis unavailable (%s); falling back to in-process rate limits", failure)
            return alone
        if self._ticks() - began <= self._budget_seconds and self._breaker.succeed():
            log.info("Redis available again; rate limits are shared")
            self._start(self._pay(redis))
        return shared.result()

    def _count_alone(self, bucket: Bucket, client: str, by: int) -> Count:
        count = self._memory.hit(bucket, client, by)
        if by and self._redis is not None:
            self._memory.owe(bucket, client, by)
        return count

    async def _share(
        self, redis: SharedStore, bucket: Bucket, client: str, by: int, seconds: float
    ) -> Count:
        """Count in Redis; raises NotCounted, after which Redis is owed the count."""
        try:
            count, processes = await redis.hit(bucket, client, by, seconds)
        except NotCounted:
            self._memory.owe(bucket, client, by)
            raise
        self._memory.processes = processes
        self._memory.settle(count, client, by)
        return count

    async def _pay(self, redis: SharedStore) -> None:
        """Count in Redis what this process has counted alone."""
        owed = list(self._memory.take_owed())
        try:
            while owed:
                count, client = owed.pop()
                await self._share(redis, count.bucket, client, count.used, count.seconds_left)
        finally:
            for count, client in owed:
                self._memory.owe(count.bucket, client, count.used)

    async def _stay_registered(self, redis: SharedStore) -> None:
        while True:
            with suppress(NotCounted):
                await redis.register()
            await asyncio.sleep(REGISTER_SECONDS)

    def _start(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._on_done)
        return task

    def _on_done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # else asyncio logs that it was never retrieved

    def metrics_samples(self) -> Iterator[Sample]:
        """Yield the metrics of Redis, if it is configured."""
        if self._redis is not None:
            yield STORE_AWAY, ("redis",), float(self._breaker.is_open)

    async def __aenter__(self) -> Self:
        if self._redis is not None:
            self._start(self._stay_registered(self._redis))
        return self

    async def __aexit__(self, *_: object) -> None:
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._redis is not None:
            await self._redis.close(is_available=not self._breaker.is_open)


def _open_redis(url: str) -> SharedStore:
    # Its client takes long to load, and most services have no Redis.
    from app.platform.limits.redis_store import RedisStore  # noqa: PLC0415

    return RedisStore(url)
