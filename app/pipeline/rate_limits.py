"""Rate limits: counts requests, and refuses excess ones before they cost more than counting."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from functools import lru_cache

from quart import Quart

from app.asgi.scope import Headers, HTTPApp, HTTPScope, Receive, Send
from app.http.request_context import RequestContext, current_request
from app.http.route_policy import Workload
from app.limits.rate_limits import SEARCHES, Bucket, Count, RateLimited
from app.pipeline.admission import workload_of
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
        buckets = self._buckets(current_request.get())
        if not buckets:
            return self._app(scope, receive, send)
        return self._count(buckets, scope, receive, send)

    def _buckets(self, context: RequestContext) -> Sequence[Bucket]:
        """Return where to count a request; an invalid one is never in the cache."""
        bucket = context.route.policy.bucket
        if bucket is None or context.method == "OPTIONS":
            return ()
        own = (bucket,) if context.error or not bucket.uncached_only else ()
        is_search = context.query and workload_of(context) is Workload.SEARCHES
        return (*own, SEARCHES) if is_search else own

    async def _count(
        self, buckets: Sequence[Bucket], scope: HTTPScope, receive: Receive, send: Send
    ) -> None:
        context = current_request.get()
        for bucket in buckets:
            count = self._limiter.hit_nowait(bucket, context.client)
            if count is None:
                count = await self._limiter.hit(bucket, context.client)
            add_to_response(context, count)
        await self._app(scope, receive, send)


class UncachedLimits(RateLimits):
    """ASGI middleware that counts reads that are not in the cache, if their bucket is for these."""

    def _buckets(self, context: RequestContext) -> Sequence[Bucket]:
        bucket = context.route.policy.bucket
        return (bucket,) if bucket and bucket.uncached_only and context.is_cacheable else ()


def add_to_response(context: RequestContext, count: Count) -> None:
    """Add the RateLimit headers of a count; raises RateLimited if it is over its limit.

    Responses to reads that may come from a cache have them only over the limit: a cache may give
    the others to other clients. Those of an additional limit then replace the others.
    """
    bucket = count.bucket
    if count.is_over and bucket.is_additional:
        others = (header for header in context.response_headers if header[0] not in _RATE_HEADERS)
        context.response_headers[:] = others
    if count.is_over or not (bucket.uncached_only or bucket.is_additional):
        context.response_headers.extend(rate_headers(count))
    if count.is_over:
        raise RateLimited(count)


_RATE_HEADERS = frozenset(
    {b"ratelimit-limit", b"ratelimit-remaining", b"ratelimit-reset", b"ratelimit-policy"}
)


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
