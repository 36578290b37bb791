"""The layer that counts: an ASGI layer around everything that costs more than counting."""

from __future__ import annotations

from contextvars import ContextVar

from hypercorn.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope, Scope

from app.asgi import ASGIApp, Headers, header, with_headers
from app.client_address import client_address
from app.limits.bucket import Count, bucket_of
from app.limits.limiter import Limiter
from app.settings import Network
from knowledge.errors import KnowledgeError

_refused: ContextVar[Count | None] = ContextVar("refused", default=None)


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
    RateLimited that `refuse_if_over` raises, in the form and with the manners of its path.
    """

    def __init__(
        self,
        app: ASGIApp,
        refusing: ASGIApp,
        limiter: Limiter,
        proxies: tuple[Network, ...],
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
        count = await self._limiter.hit(bucket, self._client(scope))
        app = self._refusing if count.is_over else self._app
        _refused.set(count if count.is_over else None)
        await app(scope, receive, with_headers(send, rate_headers(count)))

    def _client(self, scope: HTTPScope) -> str:
        peer = scope["client"][0] if scope["client"] else None
        return client_address(peer, header(scope, b"x-forwarded-for") or "", self._proxies)


def refuse_if_over() -> None:
    """Raise RateLimited where the current request is one too many."""
    count = _refused.get()
    if count is not None:
        raise RateLimited(count)


def rate_headers(count: Count) -> Headers:
    """What a client is told of its count."""
    headers = [
        (b"ratelimit-limit", b"%d" % count.bucket.limit),
        (b"ratelimit-remaining", b"%d" % count.remaining),
        (b"ratelimit-reset", b"%d" % count.reset),
        (b"ratelimit-policy", count.bucket.policy.encode()),
    ]
    if count.is_over:
        headers.append((b"retry-after", b"%d" % count.reset))
    return headers
