"""ASGI layers: what they wrap, and how they read and add headers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from hypercorn.typing import ASGIReceiveCallable, ASGISendCallable, ASGISendEvent, HTTPScope, Scope

ASGIApp = Callable[[Scope, ASGIReceiveCallable, ASGISendCallable], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]
RequestHeaders = Mapping[bytes, bytes]
_HEADERS = "majlis.headers"


def request_headers(scope: HTTPScope) -> RequestHeaders:
    """Request headers by lower-case name, a repeated one joined, as HTTP has it; read once."""
    notes = scope_state(scope)
    named: RequestHeaders | None = notes.get(_HEADERS)
    if named is None:
        named = notes[_HEADERS] = _named(list(scope["headers"]))
    return named


def with_request_headers(scope: HTTPScope, headers: Headers) -> HTTPScope:
    """The same request with other headers."""
    other = scope.copy()
    other["headers"] = headers
    scope_state(other).pop(_HEADERS, None)
    return other


def scope_state(scope: Scope) -> dict[str, Any]:
    """A request's scope as what it is besides: where layers leave notes for one another."""
    return scope  # type: ignore[return-value]  # a `cast` is paid for on every request


def peer(scope: HTTPScope) -> str | None:
    """The address at the other end of the connection, where it has one.

    >>> peer({"client": ("192.0.2.1", 4711)}), peer({"client": None}), peer({})
    ('192.0.2.1', None, None)
    """
    client = scope.get("client")
    return client[0] if client else None


def with_headers(send: ASGISendCallable, headers: Headers) -> ASGISendCallable:
    """A way to send that adds headers to the answer; what is sent may be shared, and stays."""
    if isinstance(send, _HeaderSender):  # layers within layers shall cost one
        return _HeaderSender(send.send, [*send.headers, *headers])
    return _HeaderSender(send, headers)


class _HeaderSender:
    """Passes messages on; the first gets more headers."""

    __slots__ = ("headers", "send")

    def __init__(self, send: ASGISendCallable, headers: Headers) -> None:
        self.send = send
        self.headers = headers

    def __call__(self, message: ASGISendEvent) -> Awaitable[None]:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message["headers"], *self.headers]}
        return self.send(message)


def _named(headers: Headers) -> RequestHeaders:
    named = dict(headers)
    if len(named) != len(headers):
        named = {}
        for name, value in headers:
            named[name] = named[name] + b", " + value if name in named else value
    return named
