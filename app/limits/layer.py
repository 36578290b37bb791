"""The layer that counts: an ASGI layer around everything that costs more than counting."""

from __future__ import annotations

from functools import lru_cache

from hypercorn.typing import ASGIReceiveCallable, ASGISendCallable, Scope

from app.asgi import ASGIApp, Headers, with_headers
from app.limits.bucket import Bucket, Count, bucket_of
from app.limits.limiter import Limiter
from app.proxies import TrustedProxies
from app.refusal import refuse
from knowledge.errors import KnowledgeError


class RateLimited(KnowledgeError):
    """A client has asked too often."""

    def __init__(self, count: Count) -> None:
        super().__init__(
            f"More than {count.bucket.limit} requests in {count.bucket.seconds} seconds.",
            f"Wait and retry after {count.reset} seconds, as Retry-After says.",
        )


class Limits:
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
        client = self._proxies.client_of(scope)
        count = self._limiter.hit_at_once(bucket, client)
        if count is None:
            count = await self._limiter.hit(bucket, client)
        send = with_headers(send, rate_headers(count))
        if count.is_over:
            refuse(scope, RateLimited(count))
            await self._refusing(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def rate_headers(count: Count) -> Headers:
    """What a client is told of its count; nobody may change it."""
    return _told(count.bucket, min(count.used, count.bucket.limit + 1), count.reset)


@lru_cache(maxsize=8_192)
def _told(bucket: Bucket, used: int, reset: int) -> Headers:
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
