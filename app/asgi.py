"""ASGI layers: what they wrap, and how they read and add headers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from hypercorn.typing import ASGIReceiveCallable, ASGISendCallable, ASGISendEvent, HTTPScope, Scope

ASGIApp = Callable[[Scope, ASGIReceiveCallable, ASGISendCallable], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]


def header(scope: HTTPScope, name: bytes) -> str | None:
    """A request header, by lower-case name; a repeated one joined, as HTTP has it."""
    values = [value for each, value in scope["headers"] if each == name]
    return b", ".join(values).decode("latin-1") if values else None


def with_headers(send: ASGISendCallable, headers: Headers) -> ASGISendCallable:
    """A way to send that adds headers to the answer; what is sent may be shared, and stays."""

    async def sending(message: ASGISendEvent) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message["headers"], *headers]}
        await send(message)

    return sending
