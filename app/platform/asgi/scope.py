"""Shared code of the ASGI middleware: types, and what is read from a scope."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from hypercorn import typing as asgi

Scope = asgi.Scope
HTTPScope = asgi.HTTPScope
Receive = asgi.ASGIReceiveCallable
Send = asgi.ASGISendCallable
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
