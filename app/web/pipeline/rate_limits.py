"""Limits: counts requests and uploads, refuses excess ones, admits only so many reads at a time.

A read waits for a permit of the executor that will do its work. A flood of uncached reads
therefore leaves the event loop free to send responses that are ready.
"""

import asyncio
import re
from collections.abc import Awaitable, Iterable, Iterator
from functools import lru_cache
from typing import cast

from quart import Quart

from app.platform.asgi.scope import (
    HeaderBlock,
    HTTPApp,
    HTTPScope,
    Receive,
    ReceiveEvent,
    Send,
    SendEvent,
)
from app.platform.concurrency.eager_start import in_task
from app.platform.concurrency.executors import REJECTION_SECONDS, BoundedExecutor, current_permit
from app.platform.limits.limiter import Limiter
from app.platform.limits.rate_limits import SEARCHES, UNCACHED, Bucket, Count, RateLimited
from app.services import services_of
from app.web.http.bodies import MAX_BYTES, BodyTooLarge
from app.web.http.parameters import SEARCH, SITE_SEARCH
from app.web.http.request_context import RequestContext, current_request
from app.web.http.route_policy import RoutePolicy, Workload
from app.web.http.workloads import executor_of
from app.web.pipeline import PipelineLayer
from renderers.representation import MediaType

_LIMIT = b"ratelimit-limit"


class Limits(PipelineLayer):
    """ASGI middleware that counts requests by address, and refuses invalid ones once counted.

    The bytes of bodies that may be large count while they are there; more than are allowed raise
    TooManyUploads, or BodyTooLarge, whatever was announced. Searches of pages and API count
    together besides, cached or not. What counts only if no cached
    response answers it is left to `Admission`; an invalid request is never in the cache.
    """

    def __init__(self, app: HTTPApp, quart: Quart) -> None:
        super().__init__(app, quart)
        self._limiter, self._uploads = services_of(quart).limiter, services_of(quart).uploads

    @classmethod
    def concerns(cls, policy: RoutePolicy, *, is_valid: bool) -> bool:
        """Return whether requests of the policy are refused, or count here."""
        return not is_valid or _counts_before_cache(policy) or _may_search(policy)

    def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> Awaitable[None]:
        """Count a request and pass it on; raises RateLimited, or the error of an invalid one."""
        context = current_request.get()
        buckets = _buckets(context)
        policy = context.route.policy
        if context.error is not None or policy.keeps_input or policy.body_bytes is not None:
            return self._count(buckets, scope, receive, send)
        for bucket in buckets:
            count = self._limiter.hit_nowait(bucket, context.client)
            if count is None:
                return self._count([bucket, *buckets], scope, receive, send)
            add_to_response(context, count)
        return self._app(scope, receive, send)

    async def _count(
        self, buckets: Iterable[Bucket], scope: HTTPScope, receive: Receive, send: Send
    ) -> None:
        context = current_request.get()
        for bucket in buckets:
            await count_or_show_input(self._limiter, bucket, context)
        if context.error is not None:
            raise context.error
        if context.body_bytes <= MAX_BYTES:
            await self._app(scope, receive, send)
            return
        received = 0

        async def counted() -> ReceiveEvent:
            nonlocal received
            message = await receive()
            if message["type"] == "http.request":
                size = len(message.get("body", b""))
                received += size
                if received > context.body_bytes:
                    raise BodyTooLarge
                count(size)
            return message

        with self._uploads.counting(context.client) as count:
            await self._app(scope, counted, send)


def _counts_before_cache(policy: RoutePolicy) -> bool:
    return policy.bucket is not None and not policy.bucket.uncached_only


def _may_search(policy: RoutePolicy) -> bool:
    return policy.workload in (Workload.PAGES, Workload.SEARCHES)


def _buckets(context: RequestContext) -> Iterator[Bucket]:
    """Yield the buckets of a request.

    OPTIONS costs as much as a page that is not in the cache, at any path. A browser asks so before
    a script may send something: that is no request of its own to the API.
    """
    policy = context.route.policy
    if _counts_before_cache(policy) or (policy.bucket is not None and context.error is not None):
        yield UNCACHED if context.method == "OPTIONS" else cast(Bucket, policy.bucket)
    may_search = context.error is None and context.query and _may_search(policy)
    if may_search and workload_of(context) is Workload.SEARCHES:
        yield SEARCHES


class Admission(PipelineLayer):
    """ASGI middleware for what no cached response answers.

    It counts the requests of pages, of any method, and requires an executor permit for each read
    that needs a thread.
    """

    def __init__(self, app: HTTPApp, quart: Quart) -> None:
        super().__init__(app, quart)
        services = services_of(quart)
        self._limiter, self._executors = services.limiter, services.executors

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        """Pass a request on once it has a permit.

        Raises RateLimited, and Overloaded if too many wait.
        """
        context = current_request.get()
        bucket = context.route.policy.bucket
        if bucket is not None and bucket.uncached_only:
            bucket = UNCACHED if context.method == "OPTIONS" else bucket
            await count_or_show_input(self._limiter, bucket, context)
        workload = workload_of(context)
        if workload is None:
            await self._app(scope, receive, send)
            return
        await self._admit(executor_of(self._executors, workload), scope, receive, send)

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


async def count_or_show_input(limiter: Limiter, bucket: Bucket, context: RequestContext) -> None:
    """Count a request; raises RateLimited, unless the handler shows a browser what it sent."""
    try:
        await count_request(limiter, bucket, context)
    except RateLimited as error:
        is_browser = context.error_media_type is MediaType.HTML
        is_far_over = error.count.used > 2 * bucket.limit
        if is_far_over or not (is_browser and context.route.policy.keeps_input):
            raise
        await asyncio.sleep(REJECTION_SECONDS)


async def count_request(limiter: Limiter, bucket: Bucket, context: RequestContext) -> None:
    """Count a request in a bucket and add the RateLimit headers; raises RateLimited."""
    count = limiter.hit_nowait(bucket, context.client)
    if count is None:
        await in_task()
        count = await limiter.hit(bucket, context.client)
    add_to_response(context, count)


def add_to_response(context: RequestContext, count: Count) -> None:
    """Add the RateLimit headers of a count; raises RateLimited if it is over its limit.

    Responses to reads that may come from a cache have them only over the limit: a cache may give
    the others to other clients. Those of an additional limit then replace the others.
    """
    bucket, is_over = count.bucket, count.is_over
    if is_over and bucket.is_additional:
        blocks = context.response_blocks
        blocks[:] = [block for block in blocks if block.headers[0][0] != _LIMIT]
    if is_over or not (bucket.uncached_only or bucket.is_additional):
        used = min(count.used, bucket.limit + 1)
        context.response_blocks.append(_rate_headers(bucket, used, count.reset))
    if is_over:
        raise RateLimited(count)


@lru_cache(maxsize=8_192)
def _rate_headers(bucket: Bucket, used: int, reset: int) -> HeaderBlock:
    """Return the RateLimit headers of a count: those of the API contract and of the IETF draft."""
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


_SEARCH_QUERY = re.compile(rf"(^|&)({SEARCH.name}|{SITE_SEARCH.name})=[^&]".encode())


def workload_of(context: RequestContext) -> Workload | None:
    """Return the executor for a read, or None if it needs no thread or does not wait.

    Files do not: they are sent as fast as the client reads them.
    """
    if not context.route.admits or context.is_file:
        return None
    declared = context.route.policy.workload
    is_search = declared is Workload.PAGES and _SEARCH_QUERY.search(context.query)
    return Workload.SEARCHES if is_search else declared
