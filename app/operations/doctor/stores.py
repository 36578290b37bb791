"""Facts of Redis: whether it answers, and how fast."""

from __future__ import annotations

from time import monotonic

from redis.asyncio import Redis
from redis.exceptions import RedisError

from app.operations.doctor.facts import RedisFacts
from app.platform.concurrency.deadline import result_within

TIMEOUT_SECONDS = 3.0


async def redis_facts(url: str) -> RedisFacts:
    """Ask Redis twice, as the first answer includes the new connection."""
    redis = Redis.from_url(
        url, socket_timeout=TIMEOUT_SECONDS, socket_connect_timeout=TIMEOUT_SECONDS
    )
    try:
        await result_within(_ping(redis), TIMEOUT_SECONDS)
        started = monotonic()
        await result_within(_ping(redis), TIMEOUT_SECONDS)
        return RedisFacts(monotonic() - started)
    except (OSError, RedisError) as error:
        return RedisFacts(problem=type(error).__name__)  # its message may have the password
    finally:
        await redis.aclose()


async def _ping(redis: Redis) -> None:
    await redis.echo("majlis")
