"""The response cache: an ASGI layer that answers repeated reads without entering Quart.

Keys are the path, the query, and the form and coding the client will get, so that no odd
Accept header makes an entry of its own. What has a query lives in a segment apart: random
queries cannot push out the pages everybody reads. All is forgotten with the edition, and at
the next instant at which something is published or withdrawn.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache

from hypercorn.typing import (
    ASGIReceiveCallable,
    ASGISendCallable,
    ASGISendEvent,
    HTTPResponseBodyEvent,
    HTTPResponseStartEvent,
    HTTPScope,
    Scope,
)

from app import codings
from app.asgi import ASGIApp, Headers, header
from app.conditional import ENTITY_HEADERS, is_known
from app.edition import Edition, Editions
from renderers.forms import API_FORMS, PAGE_FORMS, Form
from renderers.negotiation import choose, names_a_form

Key = tuple[str, bytes, str, str]

PLAIN_BYTES = 48 * 1024 * 1024
QUERIED_BYTES = 16 * 1024 * 1024
_OVERHEAD_BYTES = 1_024
"""What an entry costs beside its body: key, headers, bookkeeping."""


@dataclass(frozen=True, slots=True)
class Stored:
    """One complete answer, ready to be sent."""

    headers: Headers
    not_modified_headers: Headers
    etag: str
    body: bytes

    @property
    def size(self) -> int:
        """About how many bytes of memory it takes."""
        return len(self.body) + _OVERHEAD_BYTES

    async def answer(self, scope: HTTPScope, send: ASGISendCallable) -> None:
        """Send it, or 304 where the client has it, or its head alone."""
        if is_known(self.etag, header(scope, b"if-none-match")):
            status, headers, body = 304, self.not_modified_headers, b""
        else:
            status, headers = 200, self.headers
            body = b"" if scope["method"] == "HEAD" else self.body
        await send(
            HTTPResponseStartEvent(type="http.response.start", status=status, headers=headers)
        )
        await send(HTTPResponseBodyEvent(type="http.response.body", body=body, more_body=False))


class Segment:
    """Entries within a limit of bytes; the one longest unused goes first."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._size = 0
        self._entries: OrderedDict[Key, Stored] = OrderedDict()

    def get(self, key: Key) -> Stored | None:
        """The entry, now the most recently used."""
        stored = self._entries.get(key)
        if stored is not None:
            self._entries.move_to_end(key)
        return stored

    def put(self, key: Key, stored: Stored) -> None:
        """Keep an entry; one that would take most of the room is not kept."""
        if stored.size > self._limit // 4:
            return
        replaced = self._entries.pop(key, None)
        self._size += stored.size - (replaced.size if replaced else 0)
        self._entries[key] = stored
        while self._size > self._limit:
            self._size -= self._entries.popitem(last=False)[1].size

    def clear(self) -> None:
        """Forget everything."""
        self._entries.clear()
        self._size = 0

    @property
    def size(self) -> int:
        """Bytes in use."""
        return self._size


@dataclass(slots=True)
class _Recording:
    """An answer on its way to the client, noted down as it passes."""

    send: ASGISendCallable
    status: int = 0
    headers: Headers = field(default_factory=list)
    body: bytearray = field(default_factory=bytearray)
    complete: bool = False

    async def __call__(self, message: ASGISendEvent) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = list(message.get("headers", ()))
        elif message["type"] == "http.response.body":
            self.body += message.get("body", b"")
            self.complete = not message.get("more_body", False)
        await self.send(message)

    def stored(self) -> Stored | None:
        """What may be kept of it: complete answers that their headers allow to keep."""
        named = {name.lower(): value for name, value in self.headers}
        if not self.complete or self.status != 200 or b"etag" not in named:
            return None
        policy = named.get(b"cache-control", b"no-store")
        if b"no-store" in policy or b"no-cache" in policy:
            return None
        described = [pair for pair in self.headers if pair[0].lower() not in ENTITY_HEADERS]
        etag = named[b"etag"].decode("ascii").strip('"')
        return Stored(self.headers, described, etag, bytes(self.body))


class ResponseCache:
    """Wraps an ASGI application; `hits` and `misses` count the reads it looked up."""

    def __init__(self, app: ASGIApp, editions: Editions, clock: Callable[[], datetime]) -> None:
        self._app = app
        self._editions = editions
        self._clock = clock
        self._plain = Segment(PLAIN_BYTES)
        self._queried = Segment(QUERIED_BYTES)
        self._pending: dict[Key, asyncio.Future[Stored | None]] = {}
        self._edition: Edition | None = None
        self._until: datetime | None = None
        self.hits = 0
        self.misses = 0

    async def __call__(
        self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        """Answer from memory where possible, else pass on and remember."""
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            await self._app(scope, receive, send)
            return
        self._turn()
        key = _key(scope)
        segment = self._queried if key[1] else self._plain
        stored = segment.get(key)
        if stored is None and key in self._pending:
            stored = await asyncio.shield(self._pending[key])
        if stored is not None:
            self.hits += 1
            await stored.answer(scope, send)
            return
        self.misses += 1
        if scope["method"] == "HEAD" or key in self._pending:
            await self._app(scope, receive, send)
        else:
            await self._fill(key, segment, scope, receive, send)

    def _turn(self) -> None:
        """Forget what an older edition, or an instant before the last turn, answered."""
        edition = self._editions.current if self._editions.loaded else None
        now = self._clock()
        if edition is self._edition and (self._until is None or now < self._until):
            return
        self._edition = edition
        self._until = edition.snapshot.next_turn(now) if edition else None
        self._plain.clear()
        self._queried.clear()
        self._pending = {}

    async def _fill(
        self,
        key: Key,
        segment: Segment,
        scope: HTTPScope,
        receive: ASGIReceiveCallable,
        send: ASGISendCallable,
    ) -> None:
        """One computation for all who ask meanwhile; kept unless the content turned since."""
        pending = self._pending
        future = pending[key] = asyncio.get_running_loop().create_future()
        stored = None
        try:
            recording = _Recording(send)
            await self._app(scope, receive, recording)
            stored = recording.stored()
            self._turn()
            if stored is not None and pending is self._pending:
                segment.put(key, stored)
        finally:
            pending.pop(key, None)
            future.set_result(stored)


def _key(scope: HTTPScope) -> Key:
    path: str = scope["path"]
    form = _form(header(scope, b"accept"), path.startswith("/api/"))
    coding = _coding(header(scope, b"accept-encoding"))
    return path, scope["query_string"], form, coding


@lru_cache(maxsize=1_024)
def _form(accept: str | None, is_api: bool) -> str:
    """What the Accept header comes to; wildcards alone count apart, for the form of errors."""
    if is_api:
        return choose(accept, API_FORMS) or Form.JSON
    return f"{choose(accept, PAGE_FORMS)} {names_a_form(accept)}"


@lru_cache(maxsize=1_024)
def _coding(accept_encoding: str | None) -> str:
    return codings.choose(accept_encoding)
