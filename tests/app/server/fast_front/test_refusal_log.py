"""Refusals of the server: what never reaches the application is in the access log too."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from cases import cases
from live.server import until

from app.platform.asgi.client_address import TrustedProxies
from app.platform.observability.metrics import Metrics
from app.server.fast_front.connections import ConnectionLimits, Connections
from app.server.fast_front.server import Server
from app.server.fast_front.strict import FrontConfig
from app.server.sockets import bind

Refusals = list[tuple[str | None, int]]
PEER = "127.0.0.1"


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Handle the lifespan; no test sends it a request."""
    for phase in ("startup", "shutdown"):
        await receive()
        await send({"type": f"lifespan.{phase}.complete"})


async def refusals(sent: bytes, total: int = 5) -> Refusals:
    """Return what a server logs that gets these bytes on a new connection."""
    config, logged = FrontConfig(), Refusals()
    config.log_refusal = lambda peer, status: logged.append((peer, status))
    connections = Connections(ConnectionLimits(total, 5), TrustedProxies(()), Metrics())
    listening_socket = bind(PEER, 0)
    port = listening_socket.getsockname()[1]
    async with Server(application, [listening_socket], config, connections):
        _, writer = await asyncio.open_connection(PEER, port)
        writer.write(sent)
        await until(lambda: logged)
        writer.close()
        await writer.wait_closed()
    return logged


@cases(
    ("sent", "total", "status"),
    [
        pytest.param(b"GET / HTTP/1.1\r\n\r\n", 5, 400, id="no host"),
        pytest.param(b"nonsense\r\n\r\n", 5, 400, id="no request"),
        pytest.param(b"GET / HTTP/1.1\r\nX: " + b"x" * 70_000, 5, 431, id="a long head"),
        pytest.param(b"", 0, 503, id="a connection over the limit"),
    ],
)
async def test_what_the_server_refuses_is_logged_once(sent: bytes, total: int, status: int) -> None:
    """With the address of the peer, as nothing that was sent can be relied on."""
    assert await refusals(sent, total) == [(PEER, status)]
