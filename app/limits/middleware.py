"""The layer that counts: an ASGI layer around everything that costs more than counting."""

from __future__ import annotations

import asyncio
from functools import lru_cache

from hypercorn.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope, Scope

from app.asgi.refusal import refuse
from app.asgi.scope import ASGIApp, Headers, with_headers
from app.asgi.trusted_proxies import TrustedProxies
from app.concurrency.capacity import REJECTION_SECONDS
from app.limits.bucket import Bucket, Count, bucket_of, uncached_bucket_of
from app.limits.limiter import Limiter
from knowledge.errors import MajlisError


class RateLimited(MajlisError):
    """A client has asked too often."""

    def __init__(self, count: Count) -> None:
        super().__init__(
            f"More than {count.bucket.limit} requests in {count.bucket.seconds} seconds.",
            f"Wait and retry after {count.reset} seconds, as Retry-After says.",
        )


class RateLimitMiddleware:
    """Counts each request before it is passed on, and tells the client where it stands.

    One that is too many goes past the response cache to `refusing`, which answers with the
    RateLimited that is noted, in the form and with the manners of its path.
    """

    def __init__(
        self,
        app: ASGIApp,
        refusing: ASGIApp,
        limiter: Limiter,
        proxies: TrustedProxies,
    ) -> None:
        self._app = app
        self._refusing = refusing
        self._limiter = limiter
        self._proxies = proxies

    async def __call__(
        self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        """Count the request, then answer it or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        bucket = bucket_of(scope["method"], scope["path"])
        if bucket is None:
            await self._app(scope, receive, send)
            return
        count = await _counted(self._limiter, bucket, self._proxies.client_of(scope))
        if count.is_over:
            await _refuse(self._refusing, count, scope, receive, send)
        else:
            await self._app(scope, receive, with_headers(send, rate_headers(count)))


class UncachedLimit:
    """Counts the reads that the response cache cannot answer, where they count by no other limit.

    Answers do not tell the count: others may get them too, from a cache.
    """

    def __init__(self, refusing: ASGIApp, limiter: Limiter, proxies: TrustedProxies) -> None:
        self._refusing = refusing
        self._limiter = limiter
        self._proxies = proxies

    async def excess(self, scope: HTTPScope) -> Count | None:
        """Count a read; the count where it is one too many."""
        bucket = uncached_bucket_of(scope["path"])
        if bucket is None:
            return None
        count = await _counted(self._limiter, bucket, self._proxies.client_of(scope))
        return count if count.is_over else None

    async def refuse(
        self, excess: Count, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        """Answer a read that is one too many."""
        await _refuse(self._refusing, excess, scope, receive, send)


async def _refuse(
    app: ASGIApp, count: Count, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
) -> None:
    """Have the application answer that the request is one too many, but not at once."""
    await asyncio.sleep(REJECTION_SECONDS)
    refuse(scope, RateLimited(count))
    await app(scope, receive, with_headers(send, rate_headers(count)))


async def _counted(limiter: Limiter, bucket: Bucket, client: str) -> Count:
    count = limiter.hit_nowait(bucket, client)
    return await limiter.hit(bucket, client) if count is None else count


def rate_headers(count: Count) -> Headers:
    """What a client is told of its count; nobody may change it."""
    return _rate_headers(count.bucket, min(count.used, count.bucket.limit + 1), count.reset)


@lru_cache(maxsize=8_192)
def _rate_headers(bucket: Bucket, used: int, reset: int) -> Headers:
    count = Count(bucket, used, reset)
    headers = [
        (b"ratelimit-limit", b"%d" % bucket.limit),
        (b"ratelimit-remaining", b"%d" % count.remaining),
        (b"ratelimit-reset", b"%d" % reset),
        (b"ratelimit-policy", bucket.policy.encode()),
    ]
    if count.is_over:
        headers.append((b"retry-after", b"%d" % reset))
    return headers
