"""One process that serves: Hypercorn, and a stop that drops no request.

Hypercorn closes the door and all idle connections at one moment, and resets whoever was just
about to ask. Here a stop has three steps: the door is closed; for half a second every answer
asks its client to leave (`Connection: close`), so that those who are busy go by themselves;
only then Hypercorn closes what is idle and waits for the answers still under way.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Callable
from time import time
from typing import Any
from wsgiref.handlers import format_date_time

import uvloop
from hypercorn.asyncio import serve as hypercorn_serve
from hypercorn.config import Config
from hypercorn.typing import ASGIFramework

from app.serving.connection import use_connections
from app.serving.http_only import use_http_only

OPENING_SECONDS = 120.0
"""How long the start may take: all content is read first."""

GRACEFUL_SECONDS = 25.0
"""How long answers under way may take after a stop signal."""

KEEP_ALIVE_SECONDS = 20
"""How long a connection may stay silent; a proxy in front gives it up a little earlier."""

LAST_CALL_SECONDS = 0.1
"""How long connections that were begun are still accepted."""

DRAIN_SECONDS = 0.5
"""How long clients have to hear that they should leave."""


class ServingLoop(uvloop.Loop):
    """An event loop that knows its servers, so that a door can be closed before Hypercorn does."""

    def __init__(self) -> None:
        super().__init__()
        self._servers: list[Any] = []

    async def create_server(self, *arguments: Any, **options: Any) -> Any:
        """The server, remembered."""
        server = await super().create_server(*arguments, **options)
        self._servers.append(server)
        return server

    def close_door(self, address: Any) -> None:
        """Accept no more at an address; connections made there live on."""
        for server in self._servers:
            if any(each.getsockname() == address for each in server.sockets):
                server.close()


class ServerConfig(Config):
    """Hypercorn's configuration, which also decides on the headers that every answer gets."""

    def __init__(self, door: socket.socket, log_level: str) -> None:
        super().__init__()
        # Hypercorn closes the descriptor that it is given, so it has one of its own.
        self.bind = [f"fd://{os.dup(door.fileno())}"]
        self.startup_timeout = OPENING_SECONDS
        self.graceful_timeout = GRACEFUL_SECONDS
        self.keep_alive_timeout = KEEP_ALIVE_SECONDS
        # Its own handlers would write every line a second time.
        self.errorlog = logging.getLogger("hypercorn.error")
        self.loglevel = log_level
        self.draining = False
        self._second = 0
        self._headers: list[tuple[bytes, bytes]] = []

    def response_headers(self, protocol: str) -> list[tuple[bytes, bytes]]:
        """Date, written anew once a second; and whether the client should leave."""
        second = int(time())
        if second != self._second:
            self._second = second
            self._headers = [(b"date", format_date_time(second).encode())]
        if self.draining and protocol == "h11":
            return [*self._headers, (b"connection", b"close")]
        return self._headers


async def serve(
    app: ASGIFramework,
    door: socket.socket,
    log_level: str,
    opened: Callable[[], None],
    stop: asyncio.Event,
) -> None:
    """Serve until told to stop, then until every answer is out; `door` is closed on the way.

    `opened` is called when requests are taken. Runs on a ServingLoop.
    """
    config = ServerConfig(door, log_level)
    use_connections()
    use_http_only()
    asyncio.get_running_loop().set_exception_handler(_log_unless_cancelled)

    async def stopped() -> None:
        opened()
        await stop.wait()
        config.draining = True
        await asyncio.sleep(LAST_CALL_SECONDS)
        _close(door)
        await asyncio.sleep(DRAIN_SECONDS)

    await hypercorn_serve(app, config, shutdown_trigger=stopped)


def _log_unless_cancelled(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """What a client did not take within the graceful time is cut off, which is no error of ours."""
    if not isinstance(context.get("exception"), asyncio.CancelledError):
        loop.default_exception_handler(context)


def _close(door: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    if isinstance(loop, ServingLoop):
        loop.close_door(door.getsockname())
    door.close()
