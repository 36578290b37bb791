"""REDIS_URL: Redis or Valkey as one server, the primary that Sentinels name, or a cluster."""

from __future__ import annotations

import re
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
