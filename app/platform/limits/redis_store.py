"""Rate-limit counts in Redis, shared by all instances.

A count is one round trip; the library `limits` needs three for the count and its reset time.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError

from app.platform.limits.rate_limits import Bucket, Count, NotCounted, SharedCount

_TIMEOUT_SECONDS = 5.0
"""Socket timeout: ends a connection, and commands that no request waits for any more."""
_CONNECT_SECONDS = 1.0
_CONNECTIONS = 8
"""Enough for thousands of counts per second; opening many at once would exceed the budget."""
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
        pool = BlockingConnectionPool.from_url(
            url,
            max_connections=_CONNECTIONS,
            timeout=_CONNECT_SECONDS,
            socket_timeout=_TIMEOUT_SECONDS,
            socket_connect_timeout=_CONNECT_SECONDS,
            # A pooled connection may have died. All other errors are for the caller.
            retry=Retry(NoBackoff(), 1, supported_errors=(RedisConnectionError,)),
        )
        self._redis = Redis.from_pool(pool)
        self._count = self._redis.register_script(_COUNT)
        self._register = self._redis.register_script(_REGISTER)
        self._process = secrets.token_hex(8)

    async def hit(self, bucket: Bucket, client: str, by: int, seconds: float) -> SharedCount:
        """Count requests, or with `by=0` only return the count; raises NotCounted.

        A window that begins with them ends after so many seconds.
        """
        keys = [f"majlis:limit:{bucket.name}:{client}", PROCESSES]
        with _errors():
            result = await self._count(keys=keys, args=[max(1, round(seconds * 1_000)), by])
        used, milliseconds, processes = result
        return SharedCount(Count(bucket, used, milliseconds / 1_000), max(1, processes))

    async def register(self) -> None:
        """Tell that this process is alive; raises NotCounted."""
        with _errors():
            await self._register(keys=[PROCESSES], args=[self._process, _ALIVE_SECONDS])

    async def close(self, *, is_available: bool) -> None:
        """Tell that this process ends, if Redis is available, and close the connections."""
        if is_available:
            with suppress(NotCounted), _errors():
                await self._redis.zrem(PROCESSES, self._process)
        await self._redis.aclose()


@contextmanager
def _errors() -> Iterator[None]:
    """Raise NotCounted for the errors of a call, among them RuntimeError, as uvloop raises it."""
    try:
        yield
    except (RedisError, OSError, RuntimeError) as error:
        raise NotCounted(type(error).__name__) from error
