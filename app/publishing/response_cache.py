"""The response cache: complete responses of the current edition, within a limit of bytes.

A key consists of the raw path, the part of the query that the route reads, the negotiated media
type and content coding, and the locale suggested to the visitor. Unusual Accept headers and unknown
parameters therefore create no entries. Responses to requests with a query, and those with a
suggestion, have a cache of their own, so that they do not evict popular pages.

The cache records what a response is made from. A response that an edit or the schedule does not
concern is reused. This is found out at its next request, so that an edit takes no time from others.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Generic, Protocol, TypeVar

from hypercorn.typing import HTTPResponseBodyEvent, HTTPResponseStartEvent
from werkzeug.http import quote_etag

from app.platform.asgi.caching import IDENTITY, Caching, coded_tag, encode, is_storable
from app.platform.asgi.scope import HeaderBlock, HeaderBlocks, Headers, with_blocks
from app.platform.clock import Clock
from app.platform.keys import TOKEN_SLOT, slot_of
from app.platform.observability.metrics import CACHE_BYTES, CACHE_HITS, CACHE_MISSES, Sample
from app.publishing.content.store import ContentStore, Edition, made_of
from knowledge.edits import recording
from knowledge.views.edit_effects import EVERYTHING, Edits, Reads, reads_of, touched_between
from renderers.representation import Representation

REDIRECTS = frozenset({301, 302, 307, 308})
"""The statuses of redirects that the cache holds."""

_NO_BODY = HTTPResponseBodyEvent(type="http.response.body", body=b"", more_body=False)


@dataclass(frozen=True, slots=True)
class CachedResponse:
    """A complete response as ASGI messages. The messages are shared; do not mutate them."""

    start: HTTPResponseStartEvent
    body: HTTPResponseBodyEvent
    is_shareable: bool
    """Whether its Cache-Control lets other clients have it."""

    size: int
    """Estimated memory in bytes."""

    filled: Representation | None = None
    """What is completed for each visitor, in place of the body."""

    coding: str = IDENTITY
    """The content coding of what has been completed."""

    @property
    def is_redirect(self) -> bool:
        """Whether it leads to another address."""
        return self.start["status"] in REDIRECTS

    def messages(self, method: str) -> tuple[HTTPResponseStartEvent, HTTPResponseBodyEvent]:
        """Return the messages for GET or HEAD."""
        if self.filled is None:
            return self.start, _NO_BODY if method == "HEAD" else self.body
        complete = self.filled.completed()
        body = encode(complete.body, self.coding, fast=True)
        tag = quote_etag(coded_tag(complete.tag, self.coding), weak=True)
        own = [(b"content-length", str(len(body)).encode()), (b"etag", tag.encode())]
        start = HTTPResponseStartEvent(
            type="http.response.start",
            status=self.start["status"],
            headers=with_blocks(self.start["headers"], HeaderBlock(own)),
        )
        return start, _NO_BODY if method == "HEAD" else _body(body)


def _body(body: bytes) -> HTTPResponseBodyEvent:
    return HTTPResponseBodyEvent(type="http.response.body", body=body, more_body=False)


CacheKey = tuple[bytes, bytes, str | None, str, str | None]
"""Raw path, part of the query that the route reads, media type, content coding, and the path of
the locale that the response suggests to its reader."""

_OVERHEAD_BYTES = 2_048
"""Estimated memory of an entry besides its body and key: headers, messages, bookkeeping."""


def cached_response(
    key: CacheKey,
    status: int,
    headers: Headers,
    body: bytes,
    filled: Representation | None = None,
) -> CachedResponse | None:
    """Create the entry of a response, or return None if a 200 has no entity tag.

    Of what is `filled` for each visitor, length, entity tag and coding are made with the body.
    """
    by_name = dict(headers)
    policy = by_name.get(b"cache-control", b"")
    if status == 200 and b"etag" not in by_name:
        return None
    is_shareable = is_storable(policy)
    if filled is not None:
        is_shareable, body = policy == Caching.REVALIDATED.encode(), filled.body
        headers = [pair for pair in headers if pair[0] not in (b"content-length", b"etag")]
    return CachedResponse(
        HTTPResponseStartEvent(
            type="http.response.start", status=status, headers=HeaderBlocks(HeaderBlock(headers))
        ),
        _body(body),
        is_shareable,
        len(body) + len(key[0]) + len(key[1]) + _OVERHEAD_BYTES,
        filled,
        by_name.get(b"content-encoding", IDENTITY.encode()).decode(),
    )


@dataclass(slots=True)
class _CacheEntry:
    """A response, what it was made from, and the last changes that left it alone."""

    response: CachedResponse
    reads: Reads[int]
    edit: int
    scheduled: int

    @property
    def size(self) -> int:
        """Estimated memory in bytes."""
        return self.response.size + self.reads.itemsize * len(self.reads)


Pending = asyncio.Future[CachedResponse | None]
"""A response being computed for several requests: None if it cannot be shared."""

Resolve = Callable[[CachedResponse | None], None]
"""Takes the response of a request, or None if it cannot be shared."""


PLAIN_BYTES = 48 * 1024 * 1024
QUERIED_BYTES = 16 * 1024 * 1024

TOKENS = ("tokens",)
"""The key of what depends on the token that visitors share for some hours."""

_NO_EDITS = Edits()


class ResponseCache:
    """The cached responses; `hits` and `misses` count the lookups."""

    def __init__(self, content_store: ContentStore, clock: Clock) -> None:
        self._editions = content_store
        self._clock = clock
        self._plain = SegmentedLRU[CacheKey, _CacheEntry](PLAIN_BYTES)
        self._queried = SegmentedLRU[CacheKey, _CacheEntry](QUERIED_BYTES)
        self._pending: dict[CacheKey, Pending] = {}
        self._edition: Edition | None = None
        self._scheduled = Edits()
        """What the schedule touched: its changes are counted as edits are."""
        self._checked_at: datetime = clock()
        """When the schedule was last looked at."""
        self._until: datetime | None = None
        """Its next instant after that."""
        self.hits = 0
        self.misses = 0

    def find_cached(self, key: CacheKey) -> CachedResponse | None:
        """Return a response that has been made; count it if there is one."""
        self._invalidate_if_stale()
        response = self._current(key)
        if response is not None:
            self._note_hit()
        return response

    async def find_pending(self, key: CacheKey) -> CachedResponse | None:
        """Return a response that another request computes; count it, or a miss.

        If the edition changes meanwhile, it may be of either, and is computed again.
        """
        response = None
        while (pending := self._pending.get(key)) is not None:
            edition = self._edition
            await asyncio.wait([pending])
            self._invalidate_if_stale()
            if not pending.cancelled() and self._edition is edition:
                response = pending.result()
                break
        if response is None:
            self.misses += 1
        else:
            self._note_hit()
        return response

    def _note_hit(self) -> None:
        self.hits += 1
        if self._edition is not None:
            made_of.get().append(self._edition)

    def is_pending(self, key: CacheKey) -> bool:
        """Return whether another request computes a response."""
        return key in self._pending

    @contextmanager
    def filling(self, key: CacheKey) -> Iterator[Resolve]:
        """Compute a response inside, for all requests that wait, and pass it to the function.

        It is cached if the edition is still the same. If it is never passed, one of those that
        wait takes over.
        """
        all_pending = self._pending
        pending: Pending = asyncio.get_running_loop().create_future()
        all_pending[key] = pending

        def resolve(response: CachedResponse | None) -> None:
            self._invalidate_if_stale()
            shared = response if response and response.is_shareable else None
            if shared is not None and all_pending is self._pending:
                numbers = self._edits.number, self._scheduled.number
                self._entries(key).put(key, _CacheEntry(shared, reads_of(reads), *numbers))
            all_pending.pop(key, None)
            pending.set_result(shared)

        try:
            with recording() as reads:
                yield resolve
        finally:
            if not pending.done():
                all_pending.pop(key, None)
                pending.cancel()

    def metrics_samples(self) -> Iterator[Sample]:
        """Yield the metrics of the cache."""
        yield CACHE_HITS, (), self.hits
        yield CACHE_MISSES, (), self.misses
        yield CACHE_BYTES, (), self._plain.size + self._queried.size

    def _entries(self, key: CacheKey) -> SegmentedLRU[CacheKey, _CacheEntry]:
        return self._queried if key[1] or key[4] else self._plain

    def _current(self, key: CacheKey) -> CachedResponse | None:
        """Return a response that would be made the same now, or None."""
        entry = self._entries(key).get(key)
        if entry is None:
            return None
        edits, scheduled = self._edits, self._scheduled
        if entry.edit != edits.number or entry.scheduled != scheduled.number:
            if not edits.left_alone(entry.reads, entry.edit):
                return None
            if not scheduled.left_alone(entry.reads, entry.scheduled):
                return None
            entry.edit, entry.scheduled = edits.number, scheduled.number
        return entry.response

    @property
    def _edits(self) -> Edits:
        return self._edition.edits if self._edition else _NO_EDITS

    def _invalidate_if_stale(self) -> None:
        """Follow the edition and the schedule."""
        edition = self._editions.current if self._editions.loaded else None
        is_due = self._until is not None and self._clock() >= self._until
        if edition is self._edition and not is_due:
            return
        now = self._clock()
        if is_due:
            touched = EVERYTHING  # what the schedule changed is unknown together with an edit
            if edition is not None and edition is self._edition:
                touched = touched_between(edition.snapshot, self._checked_at, now)
                touched = replace(touched, keys=touched.keys | {TOKENS})
            self._scheduled = self._scheduled.after(touched)
        if self._edition is None:
            self._plain.clear()
            self._queried.clear()
        self._edition, self._checked_at = edition, now
        changes_at = edition.snapshot.next_change_at(now) if edition else None
        self._until = min(filter(None, (changes_at, slot_of(now) + TOKEN_SLOT)))
        self._pending = {}


class Sized(Protocol):
    """An entry that knows its size."""

    @property
    def size(self) -> int:
        """Estimated memory in bytes."""
        ...


Key = TypeVar("Key")
Entry = TypeVar("Entry", bound=Sized)


class SegmentedLRU(Generic[Key, Entry]):
    """A segmented LRU cache: entries used more than once are protected from the others.

    A new entry is on probation until it is used again. When the cache is full, it evicts the
    least recently used entry on probation first. A flood of responses that are used once
    therefore evicts only itself. Protected entries may fill three quarters of the cache.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._limit_protected = limit * 3 // 4
        self._size = self._size_protected = 0
        self._probation: OrderedDict[Key, Entry] = OrderedDict()
        self._protected: OrderedDict[Key, Entry] = OrderedDict()

    @property
    def size(self) -> int:
        """Bytes in use."""
        return self._size

    def get(self, key: Key) -> Entry | None:
        """Return an entry and make it the most recently used, or return None."""
        entry = self._protected.get(key)
        if entry is not None:
            self._protected.move_to_end(key)
            return entry
        entry = self._probation.pop(key, None)
        if entry is not None:
            self._protect(key, entry)
        return entry

    def put(self, key: Key, entry: Entry) -> None:
        """Add an entry, unless it is larger than an eighth of the limit."""
        if entry.size > self._limit // 8:
            return
        self._evict(key)
        self._probation[key] = entry
        self._size += entry.size
        while self._size > self._limit:
            self._evict(next(iter(self._probation or self._protected)))

    def clear(self) -> None:
        """Remove all entries."""
        self._probation.clear()
        self._protected.clear()
        self._size = self._size_protected = 0

    def _protect(self, key: Key, entry: Entry) -> None:
        self._protected[key] = entry
        self._size_protected += entry.size
        while self._size_protected > self._limit_protected:
            key, entry = self._protected.popitem(last=False)
            self._size_protected -= entry.size
            self._probation[key] = entry

    def _evict(self, key: Key) -> None:
        entry = self._probation.pop(key, None)
        if entry is None:
            entry = self._protected.pop(key, None)
            if entry is None:
                return
            self._size_protected -= entry.size
        self._size -= entry.size
