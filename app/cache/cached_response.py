"""Cached responses: the entries of the response cache, and how they are recorded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hypercorn.typing import HTTPResponseBodyEvent, HTTPResponseStartEvent

from app.asgi.caching import is_storable
from app.asgi.scope import Headers, Send, SendEvent

Key = tuple[bytes, bytes, str | None, str]
"""Raw path, part of the query that the route reads, media type, and content coding."""

_OVERHEAD_BYTES = 2_048
"""Estimated memory of an entry besides its body and key: headers, messages, bookkeeping."""

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

    def messages(self, method: str) -> tuple[HTTPResponseStartEvent, HTTPResponseBodyEvent]:
        """Return the messages for GET or HEAD."""
        return self.start, _NO_BODY if method == "HEAD" else self.body


def cached_response(key: Key, headers: Headers, body: bytes) -> CachedResponse | None:
    """Create the entry of a 200 response, or return None if it has no entity tag."""
    by_name = dict(headers)
    if b"etag" not in by_name:
        return None
    return CachedResponse(
        HTTPResponseStartEvent(type="http.response.start", status=200, headers=headers),
        HTTPResponseBodyEvent(type="http.response.body", body=body, more_body=False),
        is_storable(by_name.get(b"cache-control", b"")),
        len(body) + len(key[0]) + len(key[1]) + _OVERHEAD_BYTES,
    )


class ResponseRecorder:
    """ASGI send that buffers a response until it is complete.

    `on_complete` is called once, before anything is sent, so that a slow client does not delay
    requests that wait for the same response. Its argument is the response, or None if it is not
    a 200 with an entity tag.
    """

    def __init__(
        self,
        send: Send,
        key: Key,
        on_complete: Callable[[CachedResponse | None], None],
    ) -> None:
        self._send = send
        self._key = key
        self._on_complete = on_complete
        self._buffer: list[SendEvent] | None = []

    async def __call__(self, message: SendEvent) -> None:
        """Buffer a message, or send the response once it is complete or cannot be cached."""
        if self._buffer is None:
            await self._send(message)
            return
        self._buffer.append(message)
        if _is_incomplete(message):
            return
        buffered, self._buffer = self._buffer, None
        response = self._response_of(buffered)
        self._on_complete(response)
        for event in response.messages("GET") if response else buffered:
            await self._send(event)

    def _response_of(self, buffered: list[SendEvent]) -> CachedResponse | None:
        start, *rest = buffered
        if start["type"] != "http.response.start" or start["status"] != 200:
            return None
        parts = (part.get("body", b"") for part in rest if part["type"] == "http.response.body")
        body = b"".join([part for part in parts if part])  # a single part is not copied
        return cached_response(self._key, list(start["headers"]), body)


def _is_incomplete(message: SendEvent) -> bool:
    """Return whether more messages follow of a response that may be cached."""
    if message["type"] == "http.response.start":
        return message["status"] == 200
    return message["type"] == "http.response.body" and message.get("more_body", False)
