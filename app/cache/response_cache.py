"""The response cache: ASGI middleware that answers repeated reads without entering Quart.

A key consists of the raw path, the part of the query that the route reads, and the negotiated
media type and content coding. Unusual Accept headers and unknown parameters therefore create no
entries. Responses to requests with a query have a cache of their own, so that random queries do
not evict popular pages. The cache is cleared when the edition changes, and when something is
published or withdrawn by schedule. Cache misses count for the rate limit of the client. Large
downloads are not cached.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import lru_cache

from hypercorn.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope, Scope

from app.asgi import content_encoding
from app.asgi.caching import is_private
from app.asgi.scope import ASGIApp, Headers, RequestHeaders, request_headers, with_request_headers
from app.cache.cached_response import CachedResponse, Key, ResponseRecorder, cached_response
from app.cache.segmented_lru import SegmentedLRU
from app.clock import Clock
from app.content.store import ContentStore, Edition
from app.limits.middleware import UncachedLimit
from app.observability.metrics import CACHE_BYTES, CACHE_HITS, CACHE_MISSES, Sample
from app.observability.metrics_middleware import name_route, route_of
from app.partner.paths import is_partner_path
from renderers.media_types import API_MEDIA_TYPES, PAGE_MEDIA_TYPES, MediaType
from renderers.negotiation import choose, names_a_media_type

PLAIN_BYTES = 48 * 1024 * 1024
QUERIED_BYTES = 16 * 1024 * 1024
_NEGOTIATION_CACHE_SIZE = 1_024
_MAX_CACHED_LENGTH = 512
"""Longer headers are negotiated each time, to limit the memory of that cache."""

QueryOf = Callable[[HTTPScope], bytes]
"""Returns the part of a request's query that its response depends on."""


class _Pending:
    """A response being computed for several requests; it stays None if it is not shareable."""

    __slots__ = ("abandoned", "done", "response")

    def __init__(self) -> None:
        self.done = asyncio.Event()
        self.response: CachedResponse | None = None
        self.abandoned = True

    def resolve(self, response: CachedResponse | None) -> None:
        """Set the response and wake the requests that wait for it."""
        self.response = response
        self.abandoned = False
        self.done.set()


class ResponseCache:
    """ASGI middleware that caches responses; `hits` and `misses` count its lookups."""

    def __init__(
        self,
        app: ASGIApp,
        content_store: ContentStore,
        clock: Clock,
        query_of: QueryOf,
        limit: UncachedLimit,
    ) -> None:
        self._app = app
        self._query_of = query_of
        self._limit = limit
        self._editions = content_store
        self._clock = clock
        self._plain = SegmentedLRU(PLAIN_BYTES)
        self._queried = SegmentedLRU(QUERIED_BYTES)
        self._pending: dict[Key, _Pending] = {}
        self._edition: Edition | None = None
        self._until: datetime | None = None
        self.hits = 0
        self.misses = 0

    async def __call__(
        self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        """Respond from the cache if possible, else compute the response and cache it."""
        if scope["type"] != "http" or not _is_cacheable(scope):
            await self._app(scope, receive, send)
            return
        self._invalidate_if_stale()
        if self._edition is not None and self._edition.is_large_asset(scope["path"][1:]):
            await self._app(scope, receive, send)
            return
        headers = request_headers(scope)
        if_none_match = headers.get(b"if-none-match")
        key = self._key(scope, headers)
        entries = self._queried if key[1] else self._plain
        response = entries.get(key) or await self._await_pending(key)
        if response is not None:
            self.hits += 1
            name_route(scope, response.route)
            start, body = response.messages(scope["method"], if_none_match)
            await send(start)
            await send(body)
            return
        self.misses += 1
        if scope["method"] == "HEAD" or key in self._pending:
            await self._compute(scope, receive, send)
        else:
            await self._fill(key, entries, scope, receive, send, if_none_match)

    def metrics_samples(self) -> Iterator[Sample]:
        """Yield the metrics of the cache."""
        yield CACHE_HITS, (), self.hits
        yield CACHE_MISSES, (), self.misses
        yield CACHE_BYTES, (), self._plain.size + self._queried.size

    def _key(self, scope: HTTPScope, headers: RequestHeaders) -> Key:
        accept, accept_encoding = headers.get(b"accept", b""), headers.get(b"accept-encoding", b"")
        media_type, coding = _negotiate(accept, accept_encoding, scope["path"].startswith("/api/"))
        return (
            scope["raw_path"],
            self._query_of(scope) if scope["query_string"] else b"",
            media_type,
            coding,
        )

    def _invalidate_if_stale(self) -> None:
        """Clear the cache if the edition changed, or if a scheduled change has become due."""
        edition = self._editions.current if self._editions.loaded else None
        if edition is self._edition and (self._until is None or self._clock() < self._until):
            return
        self._edition = edition
        self._until = edition.snapshot.next_change_at(self._clock()) if edition else None
        self._plain.clear()
        self._queried.clear()
        self._pending = {}

    async def _await_pending(self, key: Key) -> CachedResponse | None:
        """Wait for a response that another request computes; None if this one has to.

        If the other request is cancelled, one of those that wait takes over.
        """
        while (pending := self._pending.get(key)) is not None:
            await pending.done.wait()
            if not pending.abandoned:
                return pending.response
        return None

    async def _fill(
        self,
        key: Key,
        entries: SegmentedLRU,
        scope: HTTPScope,
        receive: ASGIReceiveCallable,
        send: ASGISendCallable,
        if_none_match: bytes | None,
    ) -> None:
        """Compute a response once for all requests that wait; cache it if it is still current."""
        all_pending = self._pending
        pending = all_pending[key] = _Pending()
        request = _unconditional(scope) if if_none_match is not None else scope

        def create(headers: Headers, body: bytes) -> CachedResponse | None:
            return cached_response(key, route_of(request), headers, body)

        def on_complete(response: CachedResponse | None) -> None:
            self._invalidate_if_stale()
            is_shareable = (
                response is not None and response.is_shareable and not is_private(request)
            )
            shared = response if is_shareable else None
            if shared is not None and all_pending is self._pending:
                entries.put(key, shared)
            all_pending.pop(key, None)
            pending.resolve(shared)

        recorder = ResponseRecorder(send, if_none_match, create, on_complete)
        try:
            excess = await self._limit.excess(scope)
            if excess is None:
                await self._app(request, receive, recorder)
        finally:
            name_route(scope, route_of(request))
            if not pending.done.is_set():
                all_pending.pop(key, None)
                pending.done.set()
        if excess is not None:
            await self._limit.refuse(excess, scope, receive, send)

    async def _compute(
        self, scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        """Compute a response for this request alone."""
        excess = await self._limit.excess(scope)
        if excess is None:
            await self._app(scope, receive, send)
        else:
            await self._limit.refuse(excess, scope, receive, send)


def _is_cacheable(scope: HTTPScope) -> bool:
    """Return whether a request is a read whose response does not depend on the client."""
    return scope["method"] in ("GET", "HEAD") and not is_partner_path(scope["path"])


def _unconditional(scope: HTTPScope) -> HTTPScope:
    """Return the request without If-None-Match, so that the response has a body to cache."""
    headers = [pair for pair in scope["headers"] if pair[0] != b"if-none-match"]
    return with_request_headers(scope, headers)


def _negotiate(accept: bytes, accept_encoding: bytes, is_api: bool) -> tuple[str, str]:
    """Return the media type and content coding of the cache key.

    For pages, the first also contains whether Accept names a media type or only wildcards:
    the media type of errors depends on it.
    """
    if len(accept) + len(accept_encoding) > _MAX_CACHED_LENGTH:
        return _negotiate_cached.__wrapped__(accept, accept_encoding, is_api)
    return _negotiate_cached(accept, accept_encoding, is_api)


@lru_cache(_NEGOTIATION_CACHE_SIZE)
def _negotiate_cached(accept: bytes, accept_encoding: bytes, is_api: bool) -> tuple[str, str]:
    accepted = accept.decode("latin-1")
    coding = content_encoding.choose(accept_encoding.decode("latin-1"))
    if is_api:
        return choose(accepted, API_MEDIA_TYPES) or MediaType.JSON, coding
    return f"{choose(accepted, PAGE_MEDIA_TYPES)} {names_a_media_type(accepted)}", coding
