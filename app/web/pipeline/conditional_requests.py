"""Conditional requests: the 304 to a client that has the current response already."""

from __future__ import annotations

from collections.abc import Awaitable

from hypercorn.typing import HTTPResponseBodyEvent, HTTPResponseStartEvent

from app.platform.asgi.caching import is_not_modified
from app.platform.asgi.scope import HTTPScope, Receive, RequestHeaders, Send, SendEvent
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
    etag = headers.get(b"etag", b"").decode("ascii").strip('"')
    last_modified = headers.get(b"last-modified", b"").decode("ascii")
    return bool(etag) and is_not_modified(conditions, etag, last_modified)
