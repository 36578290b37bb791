"""ASGI scopes: their types, their headers and header blocks, and the refusal of WebSockets."""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain
from typing import NamedTuple, cast

from hypercorn import typing as asgi
from hypercorn.typing import WebsocketCloseEvent, WebsocketScope

from knowledge.resources.errors import MajlisError

Scope = asgi.Scope
HTTPScope = asgi.HTTPScope
Receive = asgi.ASGIReceiveCallable
Send = asgi.ASGISendCallable
ReceiveEvent = asgi.ASGIReceiveEvent
SendEvent = asgi.ASGISendEvent

ASGIApp = Callable[[Scope, Receive, Send], Awaitable[None]]
HTTPApp = Callable[[HTTPScope, Receive, Send], Awaitable[None]]
"""An ASGI application that handles requests only: no lifespan, no WebSocket."""

Headers = list[tuple[bytes, bytes]]
RequestHeaders = Mapping[bytes, bytes]


def request_headers(scope: HTTPScope) -> RequestHeaders:
    """Return request headers by lower-case name, repeated ones joined with commas."""
    headers = list(scope["headers"])
    by_name = dict(headers)
    if len(by_name) != len(headers):
        by_name = {}
        for name, value in headers:
            by_name[name] = by_name[name] + b", " + value if name in by_name else value
    return by_name


def peer(scope: HTTPScope) -> str | None:
    """Return the IP address of the other end of the connection, or None.

    >>> peer({"client": ("192.0.2.1", 4711)}), peer({"client": None}), peer({})
    ('192.0.2.1', None, None)
    """
    client = scope.get("client")
    return client[0] if client else None


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


class AmbiguousLength(MajlisError):
    """The request has two lengths: servers and proxies may choose another one."""

    status = 400

    def __init__(self) -> None:
        super().__init__(
            "Content-Length and Transfer-Encoding must not be combined.",
            "Send one of them.",
            {"Connection": "close"},
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


Header = tuple[bytes, bytes]

_CONNECTION_HEADERS = frozenset({b"connection", b"trailer", b"transfer-encoding"})
"""Headers on which the connection depends, so that the HTTP library has to send them."""


class EncodedHeaders(NamedTuple):
    """Headers as lines of HTTP/1, and the length of the body if they state it."""

    lines: bytes
    content_length: bytes | None


class HeaderBlock:
    """Some headers of a response. Do not mutate them, as their lines are made once."""

    __slots__ = ("_encoded", "_is_encoded", "headers")

    def __init__(self, headers: Headers) -> None:
        self.headers = headers
        self._is_encoded = False
        self._encoded: EncodedHeaders | None = None

    def encoded(self) -> EncodedHeaders | None:
        """Return the headers as lines, None if they concern the connection or break a line."""
        if not self._is_encoded:
            self._encoded, self._is_encoded = _encoded(self.headers), True
        return self._encoded


class HeaderBlocks:
    """The headers of a response, in blocks; an ASGI server sees them one after the other."""

    __slots__ = ("blocks",)

    def __init__(self, *blocks: HeaderBlock) -> None:
        self.blocks = blocks

    def __iter__(self) -> Iterator[Header]:
        return chain.from_iterable([block.headers for block in self.blocks])


def with_blocks(headers: Iterable[Header], *added: HeaderBlock) -> HeaderBlocks:
    """Return the headers of a response with more blocks of them.

    >>> shared = HeaderBlocks(HeaderBlock([(b"a", b"1")]))
    >>> list(with_blocks(shared, HeaderBlock([(b"b", b"2")]))), list(shared)
    ([(b'a', b'1'), (b'b', b'2')], [(b'a', b'1')])
    """
    return HeaderBlocks(*blocks_of(headers), *added)


def blocks_of(headers: Iterable[Header]) -> tuple[HeaderBlock, ...]:
    """Return the blocks of headers; of others than `HeaderBlocks`, all are one block."""
    if isinstance(headers, HeaderBlocks):
        return headers.blocks
    return (HeaderBlock([*headers]),)


def response_header(headers: Iterable[Header], name: bytes) -> bytes | None:
    """Return the first header of this lower-case name in a response, or None.

    >>> response_header([(b"vary", b"Accept"), (b"etag", b"1")], b"etag")
    b'1'
    """
    for block in blocks_of(headers):
        for sent, value in block.headers:
            if sent == name:
                return value
    return None


def _encoded(headers: Headers) -> EncodedHeaders | None:
    by_name = dict(headers)
    lines = b"".join([b"%b: %b\r\n" % header for header in headers])
    is_plain = lines.count(b"\n") == lines.count(b"\r") == len(headers) and b"\0" not in lines
    if not is_plain or not by_name.keys().isdisjoint(_CONNECTION_HEADERS):
        return None
    return EncodedHeaders(lines, by_name.get(b"content-length"))
