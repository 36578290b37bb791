"""Shared code of the ASGI middleware: types, request headers, response headers, state."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from hypercorn.typing import ASGIReceiveCallable, ASGISendCallable, ASGISendEvent, HTTPScope, Scope

ASGIApp = Callable[[Scope, ASGIReceiveCallable, ASGISendCallable], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]
RequestHeaders = Mapping[bytes, bytes]
_HEADERS = "majlis.headers"


def request_headers(scope: HTTPScope) -> RequestHeaders:
    """Return request headers by lower-case name, repeated ones joined with commas (cached)."""
    state = scope_state(scope)
    headers: RequestHeaders | None = state.get(_HEADERS)
    if headers is None:
        headers = state[_HEADERS] = _by_name(list(scope["headers"]))
    return headers


def with_request_headers(scope: HTTPScope, headers: Headers) -> HTTPScope:
    """Return a copy of the scope with other headers."""
    other = scope.copy()
    other["headers"] = headers
    scope_state(other).pop(_HEADERS, None)
    return other


def scope_state(scope: Scope) -> dict[str, Any]:
    """Return the scope as a plain dictionary, in which middleware stores its own keys."""
    return scope  # type: ignore[return-value]  # a `cast` would cost time on every request


def peer(scope: HTTPScope) -> str | None:
    """Return the IP address of the other end of the connection, or None.

    >>> peer({"client": ("192.0.2.1", 4711)}), peer({"client": None}), peer({})
    ('192.0.2.1', None, None)
    """
    client = scope.get("client")
    return client[0] if client else None


def with_headers(send: ASGISendCallable, headers: Headers) -> ASGISendCallable:
    """Return a send callable that adds headers to the response; messages are not mutated."""
    if isinstance(send, _HeaderSender):  # merge nested senders into one call
        return _HeaderSender(send.send, [*send.headers, *headers])
    return _HeaderSender(send, headers)


class _HeaderSender:
    """ASGI send that adds headers to the start of the response."""

    __slots__ = ("headers", "send")

    def __init__(self, send: ASGISendCallable, headers: Headers) -> None:
        self.send = send
        self.headers = headers

    def __call__(self, message: ASGISendEvent) -> Awaitable[None]:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message["headers"], *self.headers]}
        return self.send(message)


def _by_name(headers: Headers) -> RequestHeaders:
    by_name = dict(headers)
    if len(by_name) != len(headers):
        by_name = {}
        for name, value in headers:
            by_name[name] = by_name[name] + b", " + value if name in by_name else value
    return by_name
