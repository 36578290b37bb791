"""The response cache: an ASGI layer that answers repeated reads without entering Quart.

Keys are the path as sent, the part of the query that the route reads, and the form and coding the
client will get, so that no odd Accept header and no unknown parameter makes an entry of its own.
What has a query lives in a segment apart: random queries cannot push out the pages everybody
reads. All is forgotten with the edition, and at the next instant at which something is published or
withdrawn. A read that has to be computed counts for the limit of its client. Large downloads are
not kept.
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
_REMEMBERED_HEADERS = 1_024
_LONGEST_REMEMBERED = 512
"""What comes of a longer header is found out anew each time: memory is not for the odd."""

QueryOf = Callable[[HTTPScope], bytes]
"""The part of a request's query by which its answer differs."""


class _Pending:
    """A computation that others wait for: its answer, None where that is for one reader alone."""

    __slots__ = ("abandoned", "answer", "done")

    def __init__(self) -> None:
        self.done = asyncio.Event()
        self.answer: CachedResponse | None = None
        self.abandoned = True

    def decide(self, answer: CachedResponse | None) -> None:
        """Let those who wait go on."""
        self.answer = answer
        self.abandoned = False
        self.done.set()


class ResponseCache:
    """Wraps an ASGI application; `hits` and `misses` count the reads it looked up."""

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
        """Answer from memory where possible, else pass on and remember."""
        if scope["type"] != "http" or not _is_cacheable(scope):
            await self._app(scope, receive, send)
            return
        self._invalidate_if_stale()
        if self._edition is not None and self._edition.is_large_asset(scope["path"][1:]):
            await self._app(scope, receive, send)
            return
        headers = request_headers(scope)
        known = headers.get(b"if-none-match")
        key = self._key(scope, headers)
        segment = self._queried if key[1] else self._plain
        answer = segment.get(key) or await self._await_pending(key)
        if answer is not None:
            self.hits += 1
            name_route(scope, answer.route)
            start, body = answer.messages(scope["method"], known)
            await send(start)
            await send(body)
            return
        self.misses += 1
        if scope["method"] == "HEAD" or key in self._pending:
            await self._compute(scope, receive, send)
        else:
            await self._fill(key, segment, scope, receive, send, known)

    def metrics_samples(self) -> Iterator[Sample]:
        """What metrics tell of the cache."""
        yield CACHE_HITS, (), self.hits
        yield CACHE_MISSES, (), self.misses
        yield CACHE_BYTES, (), self._plain.size + self._queried.size

    def _key(self, scope: HTTPScope, headers: RequestHeaders) -> Key:
        accept, accept_encoding = headers.get(b"accept", b""), headers.get(b"accept-encoding", b"")
        form, coding = _chosen(accept, accept_encoding, scope["path"].startswith("/api/"))
        return (
            scope["raw_path"],
            self._query_of(scope) if scope["query_string"] else b"",
            form,
            coding,
        )

    def _invalidate_if_stale(self) -> None:
        """Forget what an older edition, or an instant before the last turn, answered."""
        edition = self._editions.current if self._editions.loaded else None
        if edition is self._edition and (self._until is None or self._clock() < self._until):
            return
        self._edition = edition
        self._until = edition.snapshot.next_change_at(self._clock()) if edition else None
        self._plain.clear()
        self._queried.clear()
        self._pending = {}

    async def _await_pending(self, key: Key) -> CachedResponse | None:
        """The answer that somebody else is computing; where they give up, the next one does."""
        while (pending := self._pending.get(key)) is not None:
            await pending.done.wait()
            if not pending.abandoned:
                return pending.answer
        return None

    async def _fill(
        self,
        key: Key,
        segment: SegmentedLRU,
        scope: HTTPScope,
        receive: ASGIReceiveCallable,
        send: ASGISendCallable,
        known: bytes | None,
    ) -> None:
        """One computation for all who ask meanwhile; kept unless the content turned since."""
        everybody = self._pending
        pending = everybody[key] = _Pending()
        asked = _unconditional(scope) if known is not None else scope

        def store(headers: Headers, body: bytes) -> CachedResponse | None:
            return cached_response(key, route_of(asked), headers, body)

        def decided(answer: CachedResponse | None) -> None:
            self._invalidate_if_stale()
            is_shareable = answer is not None and answer.is_shareable and not is_private(asked)
            shared = answer if is_shareable else None
            if shared is not None and everybody is self._pending:
                segment.put(key, shared)
            everybody.pop(key, None)
            pending.decide(shared)

        try:
            excess = await self._limit.excess(scope)
            if excess is None:
                await self._app(asked, receive, ResponseRecorder(send, known, store, decided))
        finally:
            name_route(scope, route_of(asked))
            if not pending.done.is_set():
                everybody.pop(key, None)
                pending.done.set()
        if excess is not None:
            await self._limit.refuse(excess, scope, receive, send)

    async def _compute(
        self, scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        """An answer for this reader alone."""
        excess = await self._limit.excess(scope)
        if excess is None:
            await self._app(scope, receive, send)
        else:
            await self._limit.refuse(excess, scope, receive, send)


def _is_cacheable(scope: HTTPScope) -> bool:
    """Whether it is a read whose answer does not depend on who asks."""
    return scope["method"] in ("GET", "HEAD") and not is_partner_path(scope["path"])


def _unconditional(scope: HTTPScope) -> HTTPScope:
    """The request as of a client that has nothing yet: the whole answer is worth keeping."""
    headers = [pair for pair in scope["headers"] if pair[0] != b"if-none-match"]
    return with_request_headers(scope, headers)


def _chosen(accept: bytes, accept_encoding: bytes, is_api: bool) -> tuple[str, str]:
    """Form and coding; in pages wildcards alone count apart, for the form of errors."""
    if len(accept) + len(accept_encoding) > _LONGEST_REMEMBERED:
        return _remembered.__wrapped__(accept, accept_encoding, is_api)
    return _remembered(accept, accept_encoding, is_api)


@lru_cache(_REMEMBERED_HEADERS)
def _remembered(accept: bytes, accept_encoding: bytes, is_api: bool) -> tuple[str, str]:
    written, coding = (
        accept.decode("latin-1"),
        content_encoding.choose(accept_encoding.decode("latin-1")),
    )
    if is_api:
        return choose(written, API_MEDIA_TYPES) or MediaType.JSON, coding
    return f"{choose(written, PAGE_MEDIA_TYPES)} {names_a_media_type(written)}", coding
