"""The limiter: counts requests in Redis if configured, and in memory if Redis fails."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Self

from app.clock import Ticks
from app.concurrency.circuit_breaker import CircuitBreaker
from app.limits.memory_store import MemoryStore
from app.limits.rate_limits import Bucket, Count
from app.limits.shared_store import NotCounted, SharedStore
from app.observability.metrics import STORE_AWAY, Sample

log = logging.getLogger(__name__)

BUDGET_SECONDS = 0.05
"""How long a request waits for its count in Redis."""

RETRY_SECONDS = 1.0
"""Interval between trial calls to a Redis that did not answer in time."""


class Limiter:
    """Counts requests. It never raises, and waits for Redis no longer than `budget_seconds`."""

    def __init__(
        self, ticks: Ticks, redis_url: str = "", budget_seconds: float = BUDGET_SECONDS
    ) -> None:
        self._memory = MemoryStore(ticks)
        self._redis = _open_redis(redis_url, budget_seconds) if redis_url else None
        self._breaker = CircuitBreaker(ticks, RETRY_SECONDS)

    def hit_nowait(self, bucket: Bucket, client: str) -> Count | None:
        """Count a request in memory, or return None without counting if Redis has to count it."""
        if self._redis is not None and self._breaker.is_ready:
            return None
        return self._memory.hit(bucket, client)

    async def hit(self, bucket: Bucket, client: str, by: int = 1) -> Count:
        """Count a request of a client, or with `by=0` only return the count.

        It is counted in memory if there is no Redis or it does not answer in time.
        """
        if self._redis is None or not self._breaker.admits():
            return self._memory.hit(bucket, client, by)
        try:
            count = await self._redis.hit(bucket, client, by)
        except NotCounted as reason:
            if self._breaker.fail():
                log.error("Redis unavailable (%s); falling back to in-process rate limits", reason)
            return self._memory.hit(bucket, client, by)
        if self._breaker.succeed():
            log.info("Redis available again; rate limits are shared")
        return count

    def metrics_samples(self) -> Iterator[Sample]:
        """Yield the metrics of Redis, if it is configured."""
        if self._redis is not None:
            yield STORE_AWAY, ("redis",), float(self._breaker.is_open)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._redis is not None:
            await self._redis.close()


def _open_redis(url: str, budget_seconds: float) -> SharedStore:
    # Its client takes long to load, and most services have no Redis.
    from app.limits.redis_store import RedisStore  # noqa: PLC0415

    return RedisStore(url, budget_seconds)
