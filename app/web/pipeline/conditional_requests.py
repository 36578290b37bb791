"""Conditional and range requests: 304 for what a client has, 206 for a part of a file."""

from __future__ import annotations

from collections.abc import Awaitable

from hypercorn.typing import HTTPResponseBodyEvent, HTTPResponseStartEvent

from app.platform.asgi.caching import BodyPart, RangeNotSatisfiable, is_not_modified, requested_part
from app.platform.asgi.scope import HTTPScope, Receive, RequestHeaders, Send, SendEvent
from app.web.http.request_context import current_request
from app.web.pipeline import PipelineLayer


class ConditionalRequests(PipelineLayer):
    """ASGI middleware that turns a 200 into a 304 or a 206 (RFC 9110, sections 13 and 14).

    A client that has the response already gets 304. A part is cut from files that are sent in one
    piece, also from the response cache; downloads, which are streamed, read only the part.
    """

    def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass a request on; with a condition or a range, its response may become another."""
        context = current_request.get()
        headers = context.headers
        if b"range" in headers and context.is_file and context.method == "GET":
            part = _PartSender(send, headers)
            return self._cut(scope, receive, part, _on_condition(part, headers))
        return self._app(scope, receive, _on_condition(send, headers))

    async def _cut(self, scope: HTTPScope, receive: Receive, part: _PartSender, send: Send) -> None:
        await self._app(scope, receive, send)
        if part.refusal is not None:
            raise part.refusal


def _on_condition(send: Send, headers: RequestHeaders) -> Send:
    """Return a `send` for a request with a condition; without one, the same."""
    has_condition = b"if-none-match" in headers or b"if-modified-since" in headers
    return _replacing(send, headers) if has_condition else send


class _PartSender:
    """ASGI send that sends the part of a response that the request asks for.

    If there is no such part, it sends nothing, and `refusal` says why.
    """

    def __init__(self, send: Send, headers: RequestHeaders) -> None:
        self._send = send
        self._headers = headers
        self._part: BodyPart | None = None
        self.refusal: RangeNotSatisfiable | None = None

    async def __call__(self, message: SendEvent) -> None:
        """Send a message, or what is asked for of it."""
        if (
            message["type"] == "http.response.start"
            and message["status"] == 200
            and (b"accept-ranges", b"bytes") in message["headers"]
        ):
            try:
                message = self._cut_start(message)
            except RangeNotSatisfiable as refusal:
                self.refusal = refusal
        elif message["type"] == "http.response.body" and self._part is not None:
            body = message.get("body", b"")[self._part.start : self._part.stop]
            message = HTTPResponseBodyEvent(type="http.response.body", body=body, more_body=False)
        if self.refusal is None:
            await self._send(message)

    def _cut_start(self, message: HTTPResponseStartEvent) -> HTTPResponseStartEvent:
        headers = dict(message["headers"])
        size = int(headers[b"content-length"])
        etag = headers[b"etag"].decode("ascii").strip('"')
        modified = headers.get(b"last-modified", b"").decode("ascii") or None
        part = self._part = requested_part(self._headers, size, etag, modified)
        if part is None:
            return message
        headers[b"content-length"] = str(part.stop - part.start).encode()
        headers[b"content-range"] = part.content_range(size).encode()
        return HTTPResponseStartEvent(
            type="http.response.start", status=206, headers=list(headers.items())
        )


_ENTITY_HEADERS = frozenset(
    {
        b"accept-ranges",
        b"content-encoding",
        b"content-language",
        b"content-length",
        b"content-signal",
        b"content-type",
        b"content-usage",
        b"last-modified",
        b"x-markdown-tokens",
    }
)
"""Headers that describe the body of a 200; a 304 has no body."""


def _replacing(send: Send, conditions: RequestHeaders) -> Send:
    """Return a `send` that replaces a response that the client has."""
    is_replaced = False

    async def replace(message: SendEvent) -> None:
        nonlocal is_replaced
        if message["type"] == "http.response.start":
            is_replaced = _is_at_client(message, conditions)
            if is_replaced:
                kept = [pair for pair in message["headers"] if pair[0] not in _ENTITY_HEADERS]
                message = {**message, "status": 304, "headers": kept}
        elif message["type"] == "http.response.body" and is_replaced:
            if message.get("more_body", False):
                return
            message = HTTPResponseBodyEvent(type="http.response.body", body=b"", more_body=False)
        await send(message)

    return replace


def _is_at_client(start: HTTPResponseStartEvent, conditions: RequestHeaders) -> bool:
    """Return whether the client has the body of a response, which is a 200 with an entity tag."""
    if start["status"] != 200:
        return False
    headers = dict(start["headers"])
    etag = headers.get(b"etag", b"").decode("ascii").removeprefix("W/").strip('"')
    last_modified = headers.get(b"last-modified", b"").decode("ascii")
    return bool(etag) and is_not_modified(conditions, etag, last_modified)
