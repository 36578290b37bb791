"""Rate limits: counts requests, and refuses excess ones before they cost more than counting."""

from __future__ import annotations

from collections.abc import Awaitable
from functools import lru_cache

from quart import Quart

from app.asgi.scope import Headers, HTTPApp, HTTPScope, Receive, Send
from app.http.request_context import RequestContext, current_request
from app.limits.limiter import Limiter
from app.limits.rate_limits import Bucket, Count, RateLimited
from app.services import services_of


class RateLimits:
    """ASGI middleware that counts requests by address and adds the RateLimit headers.

    It leaves reads that count only if they are not in the cache to `UncachedLimits`.
    """

    def __init__(self, app: HTTPApp, quart: Quart) -> None:
        self._app = app
        self._limiter = services_of(quart).limiter

    def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> Awaitable[None]:
        """Count a request and pass it on; raises RateLimited."""
        app = self._counted if self._counts(current_request.get()) else self._app
        return app(scope, receive, send)

    def _counts(self, context: RequestContext) -> bool:
        """Return whether to count a request; an invalid one is never in the cache."""
        bucket = context.route.policy.bucket
        if bucket is None or context.method == "OPTIONS":
            return False
        return context.error is not None or not bucket.uncached_only

    async def _counted(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        context = current_request.get()
        bucket = context.route.policy.bucket
        if bucket is not None:
            count = await hit(self._limiter, bucket, context.client)
            add_to_response(context, count)
        await self._app(scope, receive, send)


class UncachedLimits(RateLimits):
    """ASGI middleware that counts reads that are not in the cache, if their bucket is for these."""

    def _counts(self, context: RequestContext) -> bool:
        bucket = context.route.policy.bucket
        return context.is_cacheable and bucket is not None and bucket.uncached_only


def add_to_response(context: RequestContext, count: Count) -> None:
    """Add the RateLimit headers of a count; raises RateLimited if it is over its limit.

    Responses to reads that may come from a cache have them only over the limit: a cache may give
    the others to other clients.
    """
    if count.is_over or not count.bucket.uncached_only:
        context.response_headers.extend(rate_headers(count))
    if count.is_over:
        raise RateLimited(count)


async def hit(limiter: Limiter, bucket: Bucket, client: str) -> Count:
    """Count a request, without waiting if it is counted in memory."""
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
