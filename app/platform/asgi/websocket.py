"""WebSocket handshakes: the service does not support WebSocket and answers them over HTTP."""

from __future__ import annotations

from functools import partial
from typing import cast

from hypercorn.typing import WebsocketCloseEvent, WebsocketScope

from app.platform.asgi.scope import HTTPScope, RequestHeaders, Send, SendEvent
from knowledge.resources.errors import MajlisError

_POLICY_VIOLATION = 1008
_EXTENSION = "websocket.http.response"


class WebSocketRefused(MajlisError):
    """The client requested a WebSocket."""

    status = 400

    def __init__(self) -> None:
        super().__init__(
            "This service does not support WebSocket.",
            "Send the request over HTTP, without the Upgrade header.",
        )


def is_handshake(headers: RequestHeaders) -> bool:
    """Return whether an HTTP/1.1 request is a WebSocket handshake (RFC 6455, section 4.1).

    >>> is_handshake({b"upgrade": b"WebSocket", b"connection": b"keep-alive, Upgrade"})
    True
    >>> is_handshake({b"upgrade": b"websocket"}), is_handshake({})
    (False, False)
    """
    upgrade, connection = headers.get(b"upgrade", b""), headers.get(b"connection", b"")
    return b"websocket" in upgrade.lower() and b"upgrade" in connection.lower()


def as_http(scope: WebsocketScope, send: Send) -> tuple[HTTPScope, Send]:
    """Convert a handshake to an HTTP GET request, so that it can be refused like any other."""
    secure = scope["scheme"] in ("wss", "https")
    changed = {"type": "http", "method": "GET", "scheme": "https" if secure else "http"}
    can_respond = _EXTENSION in (scope.get("extensions") or {})
    request = cast(HTTPScope, {**scope, **changed, "extensions": {}})
    return request, partial(_respond if can_respond else _close, send)


async def _respond(send: Send, message: SendEvent) -> None:
    """Send a message of the response, for servers with `websocket.http.response`."""
    await send(cast(SendEvent, {**message, "type": f"websocket.{message['type']}"}))


async def _close(send: Send, message: SendEvent) -> None:
    """Close the handshake, for other servers, which respond 403."""
    if message["type"] == "http.response.start":
        await send(WebsocketCloseEvent(type="websocket.close", code=_POLICY_VIOLATION, reason=None))
