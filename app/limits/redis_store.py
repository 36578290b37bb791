"""Rate-limit counts in Redis, shared by all instances.

A count is one round trip; the library `limits` needs three for the count and its reset time.

A command that takes too long is not cancelled: its connection would have to be closed, and the
count would be lost. Its request only stops waiting for it.
"""

from __future__ import annotations

import asyncio

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError

from app.concurrency.deadline import finishes_within
from app.limits.rate_limits import Bucket, Count
from app.limits.shared_store import NotCounted

_TIMEOUT_SECONDS = 1.0
"""Socket timeout: ends a connection, and commands that no request waits for any more."""
_CONNECTIONS = 8
"""Enough for thousands of counts per second; opening many at once would exceed the budget."""

# One atomic round trip. Redis 6.2 has no EXPIRE … NX.
_COUNT = """
local by = tonumber(ARGV[2])
local used = by == 0 and tonumber(redis.call('GET', KEYS[1]) or 0)
    or redis.call('INCRBY', KEYS[1], by)
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
    left = tonumber(ARGV[1])
    if by > 0 then redis.call('PEXPIRE', KEYS[1], left) end
end
return {used, left}
"""


class RedisStore:
    """Fixed windows by client, shared by all instances that use the same Redis."""

    def __init__(self, url: str, budget_seconds: float) -> None:
        self._budget_seconds = budget_seconds
        self._tasks: set[asyncio.Task[Count]] = set()
        pool = BlockingConnectionPool.from_url(
            url,
            max_connections=_CONNECTIONS,
            timeout=_TIMEOUT_SECONDS,
            socket_timeout=_TIMEOUT_SECONDS,
            socket_connect_timeout=_TIMEOUT_SECONDS,
            # A pooled connection may have died. All other errors are for the caller.
            retry=Retry(NoBackoff(), 1, supported_errors=(RedisConnectionError,)),
        )
        self._redis = Redis.from_pool(pool)
        self._count = self._redis.register_script(_COUNT)

    async def hit(self, bucket: Bucket, client: str, by: int = 1) -> Count:
        """Count a request, or with `by=0` only return the count.

        Raises NotCounted if Redis does not answer in time.
        """
        task = asyncio.create_task(self._hit(bucket, client, by))
        self._tasks.add(task)
        task.add_done_callback(self._on_done)
        if not await finishes_within(task, self._budget_seconds):
            raise NotCounted(TimeoutError.__name__)
        try:
            return task.result()
        except (RedisError, OSError) as error:
            raise NotCounted(type(error).__name__) from error

    async def close(self) -> None:
        """Close the connections."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._redis.aclose()

    def _on_done(self, task: asyncio.Task[Count]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # else asyncio logs that it was never retrieved

    async def _hit(self, bucket: Bucket, client: str, by: int) -> Count:
        key = f"majlis:limit:{bucket.name}:{client}"
        try:
            used, milliseconds = await self._count(keys=[key], args=[bucket.seconds * 1_000, by])
        except RuntimeError as error:  # uvloop raises it for a write to a dead connection
            raise RedisConnectionError(str(error)) from error
        return Count(bucket, used, milliseconds / 1_000)
