"""The limiter: counts over Redis where there is one, and here while it is away or slow."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterator
from typing import Self

from redis.exceptions import RedisError

from app.clock import Ticks
from app.concurrency.circuit_breaker import CircuitBreaker
from app.limits.bucket import Bucket, Count
from app.limits.memory_store import MemoryStore
from app.limits.redis_store import BUDGET_SECONDS, RedisStore
from app.observability.metrics import STORE_AWAY, Sample

log = logging.getLogger(__name__)

RETRY_SECONDS = 1.0
"""How often one request asks a Redis that did not answer in time, while all others count here."""


class Limiter:
    """Counts requests; it never fails, and never waits longer than the budget of a count."""

    def __init__(
        self, ticks: Ticks, redis_url: str = "", budget_seconds: float = BUDGET_SECONDS
    ) -> None:
        self._here = MemoryStore(ticks)
        self._shared = RedisStore(redis_url, budget_seconds) if redis_url else None
        self._breaker = CircuitBreaker(ticks, RETRY_SECONDS)

    def hit_nowait(self, bucket: Bucket, client: str) -> Count | None:
        """Count a request where nobody has to be waited for; else None, and it is not counted."""
        if self._shared is not None and self._breaker.is_ready:
            return None
        return self._here.hit(bucket, client)

    async def hit(self, bucket: Bucket, client: str) -> Count:
        """Count a request of a client."""
        count = await self._ask(lambda shared: shared.hit(bucket, client))
        return count or self._here.hit(bucket, client)

    async def peek(self, bucket: Bucket, client: str) -> Count:
        """How often a client has asked so far; nothing is counted."""
        count = await self._ask(lambda shared: shared.peek(bucket, client))
        return count or self._here.peek(bucket, client)

    async def _ask(self, question: Callable[[RedisStore], Awaitable[Count]]) -> Count | None:
        """What Redis says, None where there is none or it does not answer in time."""
        if self._shared is None or not self._breaker.admits():
            return None
        try:
            count = await question(self._shared)
        except (RedisError, OSError) as error:
            self._lost(error)
            return None
        self._found()
        return count

    def metrics_samples(self) -> Iterator[Sample]:
        """What metrics tell of Redis, where there is one."""
        if self._shared is not None:
            yield STORE_AWAY, ("redis",), float(self._breaker.is_open)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._shared is not None:
            await self._shared.close()

    def _lost(self, error: Exception) -> None:
        if self._breaker.fail():
            log.error("Redis does not answer, limits are counted here: %s", type(error).__name__)

    def _found(self) -> None:
        if self._breaker.succeed():
            log.info("Redis answers again, limits are shared.")
