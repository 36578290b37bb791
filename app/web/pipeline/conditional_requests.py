"""Conditional requests: the 304 to a client that has the current response already."""

from __future__ import annotations

from collections.abc import Awaitable

from hypercorn.typing import HTTPResponseBodyEvent, HTTPResponseStartEvent

from app.platform.asgi.caching import not_modified
from app.platform.asgi.scope import Headers, HTTPScope, Receive, RequestHeaders, Send, SendEvent
from app.web.http.request_context import current_request
from app.web.pipeline.layer import Layer

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


class ConditionalRequests(Layer):
    """ASGI middleware that turns a 200 into a 304 if the client has it already."""

    def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass a request on; with a condition, its response may become a 304."""
        headers = current_request.get().headers
        has_condition = b"if-none-match" in headers or b"if-modified-since" in headers
        return self._app(scope, receive, _replacing(send, headers) if has_condition else send)


def _replacing(send: Send, conditions: RequestHeaders) -> Send:
    """Return a `send` that replaces a response that the client has."""
    is_replaced = False

    async def replace(message: SendEvent) -> None:
        nonlocal is_replaced
        if message["type"] == "http.response.start":
            tag = _tag_at_client(message, conditions)
            if tag is not None:
                is_replaced = True
                message = {**message, "status": 304, "headers": _headers(message, tag)}
        elif message["type"] == "http.response.body" and is_replaced:
            if message.get("more_body", False):
                return
            message = HTTPResponseBodyEvent(type="http.response.body", body=b"", more_body=False)
        await send(message)

    return replace


def _headers(start: HTTPResponseStartEvent, tag: str) -> Headers:
    """Return the headers of a 304, with the entity tag that the client's body has."""
    kept = [pair for pair in start["headers"] if pair[0] not in _ENTITY_HEADERS]
    etag = f'"{tag}"'.encode()
    return [(name, etag if name == b"etag" else text) for name, text in kept]


def _tag_at_client(start: HTTPResponseStartEvent, conditions: RequestHeaders) -> str | None:
    """Return the entity tag of a 200 that the client has, or None."""
    if start["status"] != 200:
        return None
    headers = dict(start["headers"])
    etag = headers.get(b"etag", b"").decode("ascii").strip('"')
    last_modified = headers.get(b"last-modified", b"").decode("ascii")
    return not_modified(conditions, etag, last_modified) if etag else None
