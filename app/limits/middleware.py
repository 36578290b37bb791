"""Rate-limit middleware: rejects excess requests before they cost more than counting."""

from __future__ import annotations

import asyncio
from functools import lru_cache

from hypercorn.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope, Scope

from app.asgi.client_address import TrustedProxies
from app.asgi.refusal import refuse
from app.asgi.scope import ASGIApp, Headers, with_headers
from app.concurrency.capacity import REJECTION_SECONDS
from app.limits.limiter import Limiter
from app.limits.rate_limits import Bucket, Count, bucket_of, uncached_bucket_of
from knowledge.errors import MajlisError


class RateLimited(MajlisError):
    """The client has exceeded a rate limit."""

    status = 429

    def __init__(self, count: Count) -> None:
        super().__init__(
            f"More than {count.bucket.limit} requests in {count.bucket.seconds} seconds.",
            f"Wait {count.reset} seconds, as given in Retry-After, and try again.",
        )


class RateLimitMiddleware:
    """ASGI middleware that counts requests and adds the RateLimit headers.

    A request over the limit skips the response cache and goes to `refusing`, which raises the
    stored RateLimited error, so that the response has the media type and headers of its path.
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
        """Count the request, then pass it on or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        bucket = bucket_of(scope["method"], scope["path"])
        if bucket is None:
            await self._app(scope, receive, send)
            return
        count = await _hit(self._limiter, bucket, self._proxies.client_of(scope))
        if count.is_over:
            await _refuse(self._refusing, count, scope, receive, send)
        else:
            await self._app(scope, receive, with_headers(send, rate_headers(count)))


class UncachedLimit:
    """Counts reads that miss the response cache and are in no other bucket.

    Responses below the limit have no RateLimit headers: caches may give them to other clients.
    """

    def __init__(self, refusing: ASGIApp, limiter: Limiter, proxies: TrustedProxies) -> None:
        self._refusing = refusing
        self._limiter = limiter
        self._proxies = proxies

    async def excess(self, scope: HTTPScope) -> Count | None:
        """Count a read; return the count if it exceeds the limit, else None."""
        bucket = uncached_bucket_of(scope["path"])
        if bucket is None:
            return None
        count = await _hit(self._limiter, bucket, self._proxies.client_of(scope))
        return count if count.is_over else None

    async def refuse(
        self, excess: Count, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        """Refuse a read that exceeds the limit."""
        await _refuse(self._refusing, excess, scope, receive, send)


async def _refuse(
    app: ASGIApp, count: Count, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
) -> None:
    """Let the application respond with RateLimited, after a short delay."""
    await asyncio.sleep(REJECTION_SECONDS)
    refuse(scope, RateLimited(count))
    await app(scope, receive, with_headers(send, rate_headers(count)))


async def _hit(limiter: Limiter, bucket: Bucket, client: str) -> Count:
    count = limiter.hit_nowait(bucket, client)
    return await limiter.hit(bucket, client) if count is None else count


def rate_headers(count: Count) -> Headers:
    """Return the RateLimit headers of a count. The list is cached; do not mutate it."""
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
