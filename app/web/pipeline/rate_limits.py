"""Limits: counts requests, refuses excess ones, and admits only so many reads at a time.

A read waits for a permit of the executor that will do its work. A flood of uncached reads
therefore leaves the event loop free to send responses that are ready.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable
from functools import lru_cache
from typing import cast

from quart import Quart

from app.platform.asgi.header_blocks import HeaderBlock
from app.platform.asgi.scope import HTTPApp, HTTPScope, Receive, Send, SendEvent
from app.platform.concurrency.executors import REJECTION_SECONDS, BoundedExecutor, current_permit
from app.platform.concurrency.first_step import in_task
from app.platform.limits.limiter import Limiter
from app.platform.limits.rate_limits import SEARCHES, UNCACHED, Bucket, Count, RateLimited
from app.services import services_of
from app.web.http.parameters import SEARCH, SITE_SEARCH
from app.web.http.request_context import RequestContext, current_request
from app.web.http.route_policy import RoutePolicy, Workload
from app.web.http.workloads import executor_of
from app.web.pipeline.layer import Layer
from renderers.representation import MediaType

_LIMIT = b"ratelimit-limit"


class RateLimits(Layer):
    """ASGI middleware that counts requests by address and adds the RateLimit headers.

    It leaves requests that count only if they are not in the cache to `UncachedLimits`. An invalid
    one is never in the cache.
    """

    def __init__(self, app: HTTPApp, quart: Quart) -> None:
        super().__init__(app, quart)
        self._limiter = services_of(quart).limiter

    @classmethod
    def concerns(cls, policy: RoutePolicy, *, is_valid: bool) -> bool:
        """Return whether the policy has a bucket in which the requests count here."""
        bucket = policy.bucket
        return bucket is not None and not (bucket.uncached_only and is_valid)

    def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> Awaitable[None]:
        """Count a request and pass it on; raises RateLimited.

        OPTIONS costs as much as a page that is not in the cache, at any path. A browser asks so
        before a script may send something: that is no request of its own to the API.
        """
        context = current_request.get()
        bucket = UNCACHED if context.method == "OPTIONS" else context.route.policy.bucket
        return self._count(cast(Bucket, bucket), scope, receive, send)

    async def _count(self, bucket: Bucket, scope: HTTPScope, receive: Receive, send: Send) -> None:
        context = current_request.get()
        try:
            await count_request(self._limiter, bucket, context)
        except RateLimited as error:
            if not _shows_input(context, error.count):
                raise
            await asyncio.sleep(REJECTION_SECONDS)
        await self._app(scope, receive, send)


async def count_request(limiter: Limiter, bucket: Bucket, context: RequestContext) -> None:
    """Count a request in a bucket and add the RateLimit headers; raises RateLimited."""
    count = limiter.hit_nowait(bucket, context.client)
    if count is None:
        await in_task()
        count = await limiter.hit(bucket, context.client)
    add_to_response(context, count)


def _shows_input(context: RequestContext, count: Count) -> bool:
    """Return whether the handler shows a browser what it sent; far over the limit it does not."""
    is_browser = context.error_media_type is MediaType.HTML
    return context.route.policy.keeps_input and is_browser and count.used <= 2 * count.bucket.limit


def add_to_response(context: RequestContext, count: Count) -> None:
    """Add the RateLimit headers of a count; raises RateLimited if it is over its limit.

    Responses to reads that may come from a cache have them only over the limit: a cache may give
    the others to other clients. Those of an additional limit then replace the others.
    """
    bucket, is_over = count.bucket, count.is_over
    if is_over and bucket.is_additional:
        context.response_blocks[:] = filter(_tells_no_limit, context.response_blocks)
    if is_over or not (bucket.uncached_only or bucket.is_additional):
        context.response_blocks.append(rate_headers(count))
    if is_over:
        raise RateLimited(count)


def _tells_no_limit(block: HeaderBlock) -> bool:
    return block.headers[0][0] != _LIMIT


def rate_headers(count: Count) -> HeaderBlock:
    """Return the RateLimit headers of a count: those of the API contract and of the IETF draft."""
    return _rate_headers(count.bucket, min(count.used, count.bucket.limit + 1), count.reset)


@lru_cache(maxsize=8_192)
def _rate_headers(bucket: Bucket, used: int, reset: int) -> HeaderBlock:
    count = Count(bucket, used, reset)
    headers = [
        (_LIMIT, b"%d" % bucket.limit),
        (b"ratelimit-remaining", b"%d" % count.remaining),
        (b"ratelimit-reset", b"%d" % reset),
        (b"ratelimit", count.state.encode()),
        (b"ratelimit-policy", bucket.policy.encode()),
    ]
    if count.is_over:
        headers.append((b"retry-after", b"%d" % reset))
    return HeaderBlock(headers)


class SearchLimits(RateLimits):
    """ASGI middleware that counts the searches of pages and API together, cached or not."""

    @classmethod
    def concerns(cls, policy: RoutePolicy, *, is_valid: bool) -> bool:
        """Return whether requests of the policy may be searches."""
        return is_valid and policy.workload in (Workload.PAGES, Workload.SEARCHES)

    def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> Awaitable[None]:
        """Count a search and pass it on; raises RateLimited."""
        context = current_request.get()
        if not context.query or workload_of(context) is not Workload.SEARCHES:
            return self._app(scope, receive, send)
        return self._count(SEARCHES, scope, receive, send)


class UncachedLimits(RateLimits):
    """ASGI middleware that counts requests that no cached response answers, of any method."""

    @classmethod
    def concerns(cls, policy: RoutePolicy, *, is_valid: bool) -> bool:
        """Return whether the bucket of the policy is for reads that are not in the cache."""
        return policy.bucket is not None and policy.bucket.uncached_only


_SEARCH_QUERY = re.compile(rf"(^|&)({SEARCH.name}|{SITE_SEARCH.name})=[^&]".encode())


class Admission(Layer):
    """ASGI middleware that requires an executor permit for each read that needs a thread."""

    def __init__(self, app: HTTPApp, quart: Quart) -> None:
        super().__init__(app, quart)
        self._executors = services_of(quart).executors

    def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass a request on once it has a permit; raises Overloaded if too many wait."""
        workload = workload_of(current_request.get())
        if workload is None:
            return self._app(scope, receive, send)
        return self._admit(executor_of(self._executors, workload), scope, receive, send)

    async def _admit(
        self,
        executor: BoundedExecutor,
        scope: HTTPScope,
        receive: Receive,
        send: Send,
    ) -> None:
        permit = await executor.acquire(current_request.get().client)
        token = current_permit.set(permit)

        async def releasing(message: SendEvent) -> None:
            permit.release()  # the work is done at the first message
            await send(message)

        try:
            await self._app(scope, receive, releasing)
        finally:
            current_permit.reset(token)
            permit.release()


def workload_of(context: RequestContext) -> Workload | None:
    """Return the executor for a read, or None if it needs no thread or does not wait.

    Files do not: they are sent as fast as the client reads them.
    """
    if not context.route.admits or context.is_file:
        return None
    declared = context.route.policy.workload
    is_search = declared is Workload.PAGES and _SEARCH_QUERY.search(context.query)
    return Workload.SEARCHES if is_search else declared
