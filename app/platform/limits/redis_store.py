"""Rate-limit counts in Redis, shared by all instances.

A count is one round trip; the library `limits` needs three for the count and its reset time.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from redis.asyncio import RedisCluster
from redis.exceptions import RedisError

from app.platform.limits.rate_limits import Bucket, Count, NotCounted, SharedCount
from app.platform.limits.redis_address import open_redis

_TIMEOUT_SECONDS = 5.0
"""Socket timeout: ends a connection, and commands that no request waits for any more."""
_CONNECT_SECONDS = 1.0
_CONNECTIONS = 8
"""Enough for thousands of counts per second; opening many at once would exceed the budget. In a
cluster it is the number to each of its nodes."""
_ALIVE_SECONDS = 15
"""How long a process counts as alive after it has told so."""

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
return {used, left, redis.call('ZCARD', KEYS[2])}
"""

_REGISTER = """
local now = tonumber(redis.call('TIME')[1])
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[2])
"""

PROCESSES = "majlis:limit-processes"
"""The key of the processes that are alive, by the time of their last word."""


class RedisStore:
    """Fixed windows by client, shared by all instances that use the same Redis."""

    def __init__(self, url: str) -> None:
        self._redis = open_redis(
            url,
            max_connections=_CONNECTIONS,
            socket_timeout=_TIMEOUT_SECONDS,
            socket_connect_timeout=_CONNECT_SECONDS,
        )
        # A script needs all its keys on one node of a cluster: that of the part in braces.
        name = "{majlis}" if isinstance(self._redis, RedisCluster) else "majlis"
        self._counts, self._processes = f"{name}:limit:", PROCESSES.replace("majlis", name)
        self._free = asyncio.Semaphore(_CONNECTIONS)
        self._count = self._redis.register_script(_COUNT)
        self._register = self._redis.register_script(_REGISTER)
        self._process = secrets.token_hex(8)

    async def hit(self, bucket: Bucket, client: str, by: int, seconds: float) -> SharedCount:
        """Count requests, or with `by=0` only return the count; raises NotCounted.

        A window that begins with them ends after so many seconds.
        """
        keys = [f"{self._counts}{bucket.name}:{client}", self._processes]
        async with self._connection():
            result = await self._count(keys=keys, args=[max(1, round(seconds * 1_000)), by])
        used, milliseconds, processes = result
        return SharedCount(Count(bucket, used, milliseconds / 1_000), max(1, processes))

    async def register(self) -> None:
        """Tell that this process is alive; raises NotCounted."""
        async with self._connection():
            await self._register(keys=[self._processes], args=[self._process, _ALIVE_SECONDS])

    async def close(self, *, is_available: bool) -> None:
        """Tell that this process ends, if Redis is available, and close the connections."""
        if is_available:
            with suppress(NotCounted):
                async with self._connection():
                    await self._redis.zrem(self._processes, self._process)
        await self._redis.aclose()

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[None]:
        """Wait for a free connection; raises NotCounted for the errors of the call in the block.

        Among them is RuntimeError, as uvloop raises it.
        """
        try:
            async with asyncio.timeout(_CONNECT_SECONDS):
                await self._free.acquire()
            try:
                yield
            finally:
                self._free.release()
        except (RedisError, OSError, RuntimeError) as error:
            raise NotCounted(type(error).__name__) from error
