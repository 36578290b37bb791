"""Stored answers: what the response cache keeps, and how it is written down and sent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hypercorn.typing import (
    ASGISendCallable,
    ASGISendEvent,
    HTTPResponseBodyEvent,
    HTTPResponseStartEvent,
)

from app.asgi.caching import is_storable
from app.asgi.conditional import ENTITY_HEADERS, etag_matches
from app.asgi.scope import Headers

Key = tuple[bytes, bytes, str, str]
"""Path as sent, query as far as it is read; form and coding of the answer."""

_OVERHEAD_BYTES = 2_048
"""What an entry costs beside its body and key: headers, messages, bookkeeping."""

_NO_BODY = HTTPResponseBodyEvent(type="http.response.body", body=b"", more_body=False)


@dataclass(frozen=True, slots=True)
class CachedResponse:
    """One complete answer as the messages that send it; nobody may change them."""

    route: str
    etag: str
    is_shareable: bool
    """Whether others may have it, as its Cache-Control says."""

    start: HTTPResponseStartEvent
    body: HTTPResponseBodyEvent
    not_modified: HTTPResponseStartEvent
    size: int
    """About how many bytes of memory it takes."""

    def messages(
        self, method: str, known: bytes | None
    ) -> tuple[HTTPResponseStartEvent, HTTPResponseBodyEvent]:
        """All of it, or its head alone, or 304 where the client has it."""
        if known is not None and etag_matches(self.etag, known.decode("latin-1")):
            return self.not_modified, _NO_BODY
        return self.start, _NO_BODY if method == "HEAD" else self.body


def cached_response(key: Key, route: str, headers: Headers, body: bytes) -> CachedResponse | None:
    """An answer of status 200, or None where it has no entity tag."""
    named = {name.lower(): value for name, value in headers}
    if b"etag" not in named:
        return None
    described = [pair for pair in headers if pair[0].lower() not in ENTITY_HEADERS]
    return CachedResponse(
        route,
        named[b"etag"].decode("ascii").strip('"'),
        is_storable(named.get(b"cache-control", b"")),
        HTTPResponseStartEvent(type="http.response.start", status=200, headers=headers),
        HTTPResponseBodyEvent(type="http.response.body", body=body, more_body=False),
        HTTPResponseStartEvent(type="http.response.start", status=304, headers=described),
        len(body) + len(key[0]) + len(key[1]) + _OVERHEAD_BYTES,
    )


class ResponseRecorder:
    """An answer to an unconditional GET on its way, held back until it is whole.

    `decided` is called once, before any client is waited for, so that a slow one holds up
    nobody else: with the answer, or with None where it is no 200 with an entity tag. Then it is
    sent, or 304 where `known` names it.
    """

    def __init__(
        self,
        send: ASGISendCallable,
        known: bytes | None,
        store: Callable[[Headers, bytes], CachedResponse | None],
        decided: Callable[[CachedResponse | None], None],
    ) -> None:
        self._send = send
        self._known = known
        self._store = store
        self._decided = decided
        self._held: list[ASGISendEvent] | None = []

    async def __call__(self, message: ASGISendEvent) -> None:
        """Hold a message back, or send it and all before it."""
        if self._held is None:
            await self._send(message)
            return
        self._held.append(message)
        if _may_go_on(message):
            return
        held, self._held = self._held, None
        answer = self._whole(held)
        self._decided(answer)
        for each in answer.messages("GET", self._known) if answer else held:
            await self._send(each)

    def _whole(self, held: list[ASGISendEvent]) -> CachedResponse | None:
        start, *rest = held
        if start["type"] != "http.response.start" or start["status"] != 200:
            return None
        parts = (part.get("body", b"") for part in rest if part["type"] == "http.response.body")
        whole = b"".join([part for part in parts if part])  # one part alone is not copied
        return self._store(list(start.get("headers", ())), whole)


def _may_go_on(message: ASGISendEvent) -> bool:
    """Whether more is to come of an answer that may be stored."""
    if message["type"] == "http.response.start":
        return message["status"] == 200
    return message["type"] == "http.response.body" and message.get("more_body", False)
