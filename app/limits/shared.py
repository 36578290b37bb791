"""Counts shared by several instances, over Redis."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError

from app.limits.bucket import Bucket, Count

_TIMEOUT_SECONDS = 1.0
_CONNECTIONS = 32

# One round trip, during which Redis does nothing else. Redis 6.2 has no EXPIRE … NX.
_COUNT = """
local used = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
    left = tonumber(ARGV[1])
    redis.call('PEXPIRE', KEYS[1], left)
end
return {used, left}
"""


class SharedWindows:
    """Fixed windows by client, the same for everybody who counts over this Redis."""

    def __init__(self, url: str) -> None:
        pool = BlockingConnectionPool.from_url(
            url,
            max_connections=_CONNECTIONS,
            timeout=_TIMEOUT_SECONDS,
            socket_timeout=_TIMEOUT_SECONDS,
            socket_connect_timeout=_TIMEOUT_SECONDS,
            # A connection may have died since; anything else is left to who asks.
            retry=Retry(NoBackoff(), 1, supported_errors=(RedisConnectionError,)),
        )
        self._redis = Redis.from_pool(pool)
        self._count = self._redis.register_script(_COUNT)

    async def hit(self, bucket: Bucket, client: str) -> Count:
        """Count a request; raises RedisError or OSError where Redis does not answer in time."""
        key = _key(bucket, client)
        with _connection_errors():
            used, milliseconds = await self._count(keys=[key], args=[bucket.seconds * 1_000])
        return Count(bucket, used, milliseconds / 1_000)

    async def look(self, bucket: Bucket, client: str) -> Count:
        """How often a client has asked so far; raises as `hit` does."""
        key = _key(bucket, client)
        with _connection_errors():
            async with self._redis.pipeline(transaction=True) as pipeline:
                pipeline.get(key)
                pipeline.pttl(key)
                used, milliseconds = await pipeline.execute()
        left = milliseconds / 1_000 if milliseconds >= 0 else bucket.seconds
        return Count(bucket, int(used or 0), left)

    async def close(self) -> None:
        """Close the connections."""
        await self._redis.aclose()


@contextmanager
def _connection_errors() -> Iterator[None]:
    """On uvloop who writes to a connection that has just died gets a RuntimeError."""
    try:
        yield
    except RuntimeError as error:
        raise RedisConnectionError(str(error)) from error


def _key(bucket: Bucket, client: str) -> str:
    return f"majlis:limit:{bucket.name}:{client}"
