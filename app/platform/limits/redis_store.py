"""Rate-limit counts in Redis, shared by all instances, and the addresses of REDIS_URL.

A count is one round trip; the library `limits` needs three for the count and its reset time.
"""

import asyncio
import re
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from redis.asyncio import Redis, RedisCluster, Sentinel
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.connection import SSLConnection, parse_url
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import SentinelConnectionPool
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError

from app.platform.limits.rate_limits import Bucket, Count, NotCounted, SharedCount

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


_SCHEME = re.compile(r"(?:redis|valkey)(s?)(?:\+(sentinel|cluster))?")
_ALLOWED = (
    "use redis://host:port/number, rediss://, unix://, redis+sentinel://host,host/name/number or "
    "redis+cluster://host,host"
)
_MALFORMED = "write redis://user:password@host:port/number, percent-encoded"
_SENTINEL_PORT = 26379
_QUOTED = re.compile(r"'(\w+)'")


class _PrimaryPool(SentinelConnectionPool):
    """The connections to the primary, which is asked for again when one is opened."""

    async def aclose(self) -> None:
        """Close them, and those to the Sentinels."""
        await super().aclose()
        for sentinel in self.sentinel_manager.sentinels:
            await sentinel.aclose()


def open_redis(url: str, **options: Any) -> Redis | RedisCluster:
    """Return the client of an address, which connects at the first command; raises ValueError."""
    # A pooled connection may have died. All other errors are for the caller.
    options = {"retry": Retry(NoBackoff(), 1, (RedisConnectionError,)), **options}
    scheme, _, rest = url.partition("://")
    matched = _SCHEME.fullmatch(scheme)
    if matched is None:
        return Redis.from_url(url, **options)
    secure, kind = matched.groups()
    plain = f"redis{secure}://{rest}"
    if kind is None:
        return Redis.from_url(plain, **options)
    parts = urlsplit(plain)
    user, at, hosts = parts.netloc.rpartition("@")
    nodes = [parse_url(f"redis://{host}") for host in hosts.split(",")]
    given: dict[str, Any] = {**options, **parse_url(parts._replace(netloc=user + at).geturl())}
    if given.pop("connection_class", None) is SSLConnection:
        given["ssl"] = True
    if kind == "cluster":
        startup = [ClusterNode(node["host"], node.get("port", 6379)) for node in nodes]
        return RedisCluster(startup_nodes=startup, **given)
    name, _, number = parts.path.strip("/").partition("/")
    if not name:
        raise ValueError(_ALLOWED)
    own = {key.removeprefix("sentinel_"): given.pop(key) for key in [*given] if "sentinel_" in key}
    shared = {key: value for key, value in given.items() if key.startswith(("socket_", "ssl"))}
    sentinels = Sentinel(  # type: ignore[no-untyped-call]
        [(node["host"], node.get("port", _SENTINEL_PORT)) for node in nodes],
        sentinel_kwargs={**shared, **own, "retry": Retry(NoBackoff(), 0)},
    )
    client: Redis = sentinels.master_for(
        name, connection_pool_class=_PrimaryPool, **{"db": int(number or 0), **given}
    )
    return client


def checked_address(url: str) -> str:
    """Return the address; raises ValueError for what the client would refuse at each request."""
    scheme = urlsplit(url).scheme
    if scheme != "unix" and not _SCHEME.fullmatch(scheme):
        raise ValueError(_ALLOWED)
    try:
        client = open_redis(url)
        if isinstance(client, Redis):
            pool = client.connection_pool
            pool.connection_class(**pool.connection_kwargs)  # which connects to nothing yet
    except (TypeError, ValueError, KeyError, RedisError) as error:  # it may have a part of the URL
        name = _QUOTED.search(str(error))
        given = dict(parse_qsl(urlsplit(url).query))
        if name and name[1] in given:
            raise ValueError(f"the parameter {name[1]} is not supported; remove it") from None
        raise ValueError(_MALFORMED if str(error) != _ALLOWED else _ALLOWED) from None
    return url
