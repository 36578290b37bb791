"""uvicorn: the server whose connections uvicorn's HTTP/1 protocol parses with httptools."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Sequence
from functools import partial
from typing import cast

from hypercorn.typing import ASGIFramework
from uvicorn import Config
from uvicorn._types import ASGI3Application

from app.server import server
from app.server.config import ServerConfig
from app.server.connections import Connections
from app.server.uvicorn_connection import UvicornConnection


async def serve(
    app: ASGIFramework,
    sockets: Sequence[socket.socket],
    config: ServerConfig,
    connections: Connections,
    on_ready: Callable[[], None],
    stop: asyncio.Event,
) -> None:
    """Serve until `stop` is set, and then until every response is sent."""
    open_connection = partial(UvicornConnection, uvicorn_config(app, config))
    await server.serve(app, sockets, config, connections, on_ready, stop, open_connection)


def uvicorn_config(app: ASGIFramework, config: ServerConfig) -> Config:
    """Return what uvicorn's protocol reads; the rest of uvicorn is not used."""
    loaded = Config(
        cast(ASGI3Application, app),
        interface="asgi3",
        http="httptools",
        ws="none",  # the application refuses handshakes
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=int(config.keep_alive_timeout),
    )
    loaded.load()
    return loaded
