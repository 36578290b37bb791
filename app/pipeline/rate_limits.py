"""Rate limits: counts requests, and refuses excess ones before they cost more than counting."""

from __future__ import annotations

from functools import lru_cache

from quart import Quart

from app.asgi.scope import Headers, HTTPApp, HTTPScope, Receive, Send
from app.http.request_context import RequestContext, current_request
from app.limits.limiter import Limiter
from app.limits.rate_limits import Bucket, Count, RateLimited
from app.services import services_of


class RateLimits:
    """ASGI middleware that counts requests by address and adds the RateLimit headers.

    Reads that count only if they are not in the cache are left to `UncachedLimits`, unless they
    are invalid: then the cache does not have them.
    """

    def __init__(self, app: HTTPApp, quart: Quart) -> None:
        self._app = app
        self._limiter = services_of(quart).limiter

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        """Count a request and pass it on; raises RateLimited."""
        context = current_request.get()
        bucket = context.route.policy.bucket
        if bucket is not None and context.method != "OPTIONS":
            if not bucket.uncached_only:
                count = await hit(self._limiter, bucket, context.client)
                context.response_headers.extend(rate_headers(count))
                refuse_excess(count)
            elif context.error is not None:
                await _count_uncached(self._limiter, bucket, context)
        await self._app(scope, receive, send)


class UncachedLimits:
    """ASGI middleware that counts reads that are not in the cache, if their bucket is for these.

    Responses below the limit have no RateLimit headers: caches may give them to other clients.
    """

    def __init__(self, app: HTTPApp, quart: Quart) -> None:
        self._app = app
        self._limiter = services_of(quart).limiter

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        """Count a read and pass it on; raises RateLimited."""
        context = current_request.get()
        bucket = context.route.policy.bucket
        if context.is_cacheable and bucket is not None and bucket.uncached_only:
            await _count_uncached(self._limiter, bucket, context)
        await self._app(scope, receive, send)


async def _count_uncached(limiter: Limiter, bucket: Bucket, context: RequestContext) -> None:
    count = await hit(limiter, bucket, context.client)
    if count.is_over:
        context.response_headers.extend(rate_headers(count))
    refuse_excess(count)


async def hit(limiter: Limiter, bucket: Bucket, client: str) -> Count:
    """Count a request, without waiting if it is counted in memory."""
    count = limiter.hit_nowait(bucket, client)
    return await limiter.hit(bucket, client) if count is None else count


def refuse_excess(count: Count) -> None:
    """Raise RateLimited if a count is over its limit."""
    if count.is_over:
        raise RateLimited(count)


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
