"""WebSocket scopes: refused with an HTTP response, or closed if the server has no support."""

from __future__ import annotations

import asyncio
import json
from typing import Any, cast

import pytest
from contract.visitor import Visitor

EXTENSION: dict[str, Any] = {"websocket.http.response": {}}


def handshake(visitor: Visitor, extensions: dict[str, Any] | None) -> list[dict[str, Any]]:
    """Return the messages that the application sends to a handshake."""
    scope = {
        "type": "websocket",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "wss",
        "path": "/ae/en",
        "raw_path": b"/ae/en",
        "query_string": b"",
        "root_path": "",
        "headers": [(b"host", b"x")],
        "client": ("198.51.100.77", 1),
        "subprotocols": [],
        "extensions": extensions,
    }
    sent: list[dict[str, Any]] = []
    incoming = iter([{"type": "websocket.connect"}])

    async def receive() -> Any:
        for event in incoming:
            return event
        return await asyncio.get_running_loop().create_future()

    async def send(message: Any) -> None:
        sent.append(message)

    application = cast(Any, visitor.quart)
    visitor._runner.run(asyncio.wait_for(application(scope, receive, send), timeout=10))
    return sent


def test_the_response_is_sent_if_the_server_supports_it(sample: Visitor) -> None:
    """It has the headers of every error."""
    start, *bodies = handshake(sample, EXTENSION)
    assert (start["type"], start["status"]) == ("websocket.http.response.start", 400)
    assert {b"x-request-id", b"ratelimit-limit"} <= dict(start["headers"]).keys()
    assert {body["type"] for body in bodies} == {"websocket.http.response.body"}
    assert [body["more_body"] for body in bodies][-1] is False
    body = json.loads(b"".join(body["body"] for body in bodies))
    assert body["error"]["message"] == "This service does not support WebSocket."


@pytest.mark.parametrize("extensions", [{}, None])
def test_else_the_handshake_is_closed(sample: Visitor, extensions: dict[str, Any] | None) -> None:
    """It is closed once, before it is accepted, so that the server responds 403."""
    (closed,) = handshake(sample, extensions)
    assert closed["type"] == "websocket.close"
