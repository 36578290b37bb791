"""Conditional requests: the 304 to a client that has the current response already."""

from __future__ import annotations

from collections.abc import Awaitable

from hypercorn.typing import HTTPResponseBodyEvent, HTTPResponseStartEvent

from app.asgi.caching import etag_matches
from app.asgi.scope import HTTPScope, Receive, Send, SendEvent
from app.http.request_context import current_request
from app.pipeline.layer import Layer

_ENTITY_HEADERS = frozenset(
    {
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
    """ASGI middleware that turns a 200 into a 304 if If-None-Match has its entity tag."""

    def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass a request on; with If-None-Match, its response may become a 304."""
        condition = current_request.get().header(b"if-none-match")
        return self._app(scope, receive, _replacing(send, condition) if condition else send)


def _replacing(send: Send, if_none_match: str) -> Send:
    """Return a `send` that replaces a response whose entity tag the client has."""
    is_replaced = False

    async def replace(message: SendEvent) -> None:
        nonlocal is_replaced
        if message["type"] == "http.response.start" and _is_current(message, if_none_match):
            is_replaced = True
            headers = [pair for pair in message["headers"] if pair[0] not in _ENTITY_HEADERS]
            message = {**message, "status": 304, "headers": headers}
        elif message["type"] == "http.response.body" and is_replaced:
            if message.get("more_body", False):
                return
            message = HTTPResponseBodyEvent(type="http.response.body", body=b"", more_body=False)
        await send(message)

    return replace


def _is_current(start: HTTPResponseStartEvent, if_none_match: str) -> bool:
    if start["status"] != 200:
        return False
    etag = dict(start["headers"]).get(b"etag", b"").decode("ascii").strip('"')
    return bool(etag) and etag_matches(etag, if_none_match)
