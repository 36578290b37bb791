"""The limiter: counts over Redis where there is one, and here while it is away."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Iterator
from typing import Self

from redis.exceptions import RedisError

from app.limits.bucket import Bucket, Count
from app.limits.shared import SharedWindows
from app.limits.windows import Ticks, Windows
from app.metrics import STORE_AWAY, Figure

log = logging.getLogger(__name__)

_LOOK_AGAIN_SECONDS = 3.0


class Limiter:
    """Counts requests; it never fails, and never waits long."""

    def __init__(self, ticks: Ticks, redis_url: str = "") -> None:
        self._ticks = ticks
        self._here = Windows(ticks)
        self._shared = SharedWindows(redis_url) if redis_url else None
        self._away_until = float("-inf")
        self._away = False

    def hit_at_once(self, bucket: Bucket, client: str) -> Count | None:
        """Count a request where nobody has to be waited for; else None, and it is not counted."""
        return self._here.hit(bucket, client) if self._to_ask() is None else None

    async def hit(self, bucket: Bucket, client: str) -> Count:
        """Count a request of a client."""
        shared = self._to_ask()
        if shared is not None and self._away:
            self._leave_alone()  # one request finds out whether it is back, no other waits
        told = await self._told(shared.hit(bucket, client)) if shared else None
        return told or self._here.hit(bucket, client)

    async def look(self, bucket: Bucket, client: str) -> Count:
        """How often a client has asked so far; nothing is counted."""
        shared = self._to_ask()
        told = await self._told(shared.look(bucket, client)) if shared else None
        return told or self._here.look(bucket, client)

    async def _told(self, asked: Awaitable[Count]) -> Count | None:
        """What Redis says, None where it does not answer."""
        try:
            count = await asked
        except (RedisError, OSError) as error:
            self._lost(error)
            return None
        self._found()
        return count

    def figures(self) -> Iterator[Figure]:
        """What metrics tell of Redis, where there is one."""
        if self._shared is not None:
            yield STORE_AWAY, ("redis",), float(self._away)

    def _to_ask(self) -> SharedWindows | None:
        """The counts over Redis, where there are any and they are not left alone."""
        if self._shared is None or self._ticks() < self._away_until:
            return None
        return self._shared

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._shared is not None:
            await self._shared.close()

    def _lost(self, error: Exception) -> None:
        self._leave_alone()
        if not self._away:
            log.error("Redis does not answer, limits are counted here: %s", type(error).__name__)
        self._away = True

    def _found(self) -> None:
        if self._away:
            log.info("Redis answers again, limits are shared.")
            self._away_until = float("-inf")
        self._away = False

    def _leave_alone(self) -> None:
        """Ask Redis nothing for a while: requests shall not wait for what does not answer."""
        self._away_until = self._ticks() + _LOOK_AGAIN_SECONDS
