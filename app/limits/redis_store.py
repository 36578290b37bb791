"""Rate-limit counts in Redis, shared by all instances.

A count is one round trip; the library `limits` needs three for the count and its reset time.

A command that takes too long is not cancelled: its connection would have to be closed, and the
count would be lost. Its request only stops waiting for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError

from app.concurrency.deadline import finishes_within
from app.limits.rate_limits import Bucket, Count

BUDGET_SECONDS = 0.05
"""How long a request waits for its count."""
_TIMEOUT_SECONDS = 1.0
"""Socket timeout: ends a connection, and commands that no request waits for any more."""
_CONNECTIONS = 8
"""Enough for thousands of counts per second; opening many at once would exceed the budget."""

# One atomic round trip. Redis 6.2 has no EXPIRE … NX.
_COUNT = """
local used = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
    left = tonumber(ARGV[1])
    redis.call('PEXPIRE', KEYS[1], left)
end
return {used, left}
"""


class RedisStore:
    """Fixed windows by client, shared by all instances that use the same Redis."""

    def __init__(self, url: str, budget_seconds: float = BUDGET_SECONDS) -> None:
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

    async def hit(self, bucket: Bucket, client: str) -> Count:
        """Count a request; raises RedisError or OSError if Redis does not answer in time."""
        return await self._in_time(self._hit(bucket, client))

    async def peek(self, bucket: Bucket, client: str) -> Count:
        """Return the current count without counting a request; raises as `hit` does."""
        return await self._in_time(self._peek(bucket, client))

    async def close(self) -> None:
        """Close the connections."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._redis.aclose()

    async def _in_time(self, command: Coroutine[None, None, Count]) -> Count:
        task = asyncio.create_task(command)
        self._tasks.add(task)
        task.add_done_callback(self._on_done)
        if not await finishes_within(task, self._budget_seconds):
            raise TimeoutError
        return task.result()

    def _on_done(self, task: asyncio.Task[Count]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # else asyncio logs that it was never retrieved

    async def _hit(self, bucket: Bucket, client: str) -> Count:
        key = _key(bucket, client)
        with _connection_errors():
            used, milliseconds = await self._count(keys=[key], args=[bucket.seconds * 1_000])
        return Count(bucket, used, milliseconds / 1_000)

    async def _peek(self, bucket: Bucket, client: str) -> Count:
        key = _key(bucket, client)
        with _connection_errors():
            async with self._redis.pipeline(transaction=True) as pipeline:
                pipeline.get(key)
                pipeline.pttl(key)
                used, milliseconds = await pipeline.execute()
        left = milliseconds / 1_000 if milliseconds >= 0 else bucket.seconds
        return Count(bucket, int(used or 0), left)


@contextmanager
def _connection_errors() -> Iterator[None]:
    """Convert the RuntimeError that uvloop raises for a write to a dead connection."""
    try:
        yield
    except RuntimeError as error:
        raise RedisConnectionError(str(error)) from error


def _key(bucket: Bucket, client: str) -> str:
    return f"majlis:limit:{bucket.name}:{client}"
