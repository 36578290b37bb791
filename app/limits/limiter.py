"""The limiter: counts requests in Redis if configured, and in memory if Redis fails."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Self

from redis.exceptions import RedisError

from app.clock import Ticks
from app.concurrency.circuit_breaker import CircuitBreaker
from app.limits.memory_store import MemoryStore
from app.limits.rate_limits import Bucket, Count
from app.limits.redis_store import BUDGET_SECONDS, RedisStore
from app.observability.metrics import STORE_AWAY, Sample

log = logging.getLogger(__name__)

RETRY_SECONDS = 1.0
"""Interval between trial calls to a Redis that did not answer in time."""


class Limiter:
    """Counts requests. It never raises, and waits for Redis no longer than `budget_seconds`."""

    def __init__(
        self, ticks: Ticks, redis_url: str = "", budget_seconds: float = BUDGET_SECONDS
    ) -> None:
        self._memory = MemoryStore(ticks)
        self._redis = RedisStore(redis_url, budget_seconds) if redis_url else None
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
        except (RedisError, OSError) as error:
            if self._breaker.fail():
                reason = type(error).__name__
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
