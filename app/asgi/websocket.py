"""WebSocket handshakes: the service does not support WebSocket and answers them over HTTP."""

from __future__ import annotations

from typing import cast

from hypercorn.typing import (
    ASGIReceiveCallable,
    ASGIReceiveEvent,
    ASGISendCallable,
    ASGISendEvent,
    HTTPDisconnectEvent,
    HTTPRequestEvent,
    HTTPResponseStartEvent,
    HTTPScope,
    WebsocketCloseEvent,
    WebsocketResponseBodyEvent,
    WebsocketResponseStartEvent,
    WebsocketScope,
)

from app.asgi.scope import RequestHeaders
from knowledge.errors import MajlisError

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


def as_http(
    scope: WebsocketScope, receive: ASGIReceiveCallable, send: ASGISendCallable
) -> tuple[HTTPScope, ASGIReceiveCallable, ASGISendCallable]:
    """Convert a handshake to an HTTP GET request, so that Quart can respond with an error."""
    secure = scope["scheme"] in ("wss", "https")
    changed = {"type": "http", "method": "GET", "scheme": "https" if secure else "http"}
    can_respond = _EXTENSION in (scope.get("extensions") or {})
    request = cast(HTTPScope, {**scope, **changed, "extensions": {}})
    return request, _Receive(receive), _SendResponse(send) if can_respond else _SendClose(send)


class _Receive:
    """ASGI receive of the converted request: an empty body, then a disconnect."""

    def __init__(self, receive: ASGIReceiveCallable) -> None:
        self._receive = receive

    async def __call__(self) -> ASGIReceiveEvent:
        event = await self._receive()
        if event["type"] == "websocket.connect":
            return HTTPRequestEvent(type="http.request", body=b"", more_body=False)
        return HTTPDisconnectEvent(type="http.disconnect")


class _SendResponse:
    """ASGI send for servers with the extension `websocket.http.response`.

    The body is sent in one message, as not every server accepts several.
    """

    def __init__(self, send: ASGISendCallable) -> None:
        self._send = send
        self._body = b""

    async def __call__(self, message: ASGISendEvent) -> None:
        if message["type"] == "http.response.start":
            await self._send(_start(message))
        elif message["type"] == "http.response.body":
            self._body += message.get("body", b"")
            if not message.get("more_body", False):
                await self._send(_whole(self._body))


class _SendClose:
    """ASGI send for other servers: closes the handshake, to which the server responds 403."""

    def __init__(self, send: ASGISendCallable) -> None:
        self._send = send

    async def __call__(self, message: ASGISendEvent) -> None:
        if message["type"] == "http.response.start":
            close = WebsocketCloseEvent(type="websocket.close", code=_POLICY_VIOLATION, reason=None)
            await self._send(close)


def _start(message: HTTPResponseStartEvent) -> WebsocketResponseStartEvent:
    return WebsocketResponseStartEvent(
        type="websocket.http.response.start",
        status=message["status"],
        headers=message["headers"],
    )


def _whole(body: bytes) -> WebsocketResponseBodyEvent:
    return WebsocketResponseBodyEvent(
        type="websocket.http.response.body", body=body, more_body=False
    )
