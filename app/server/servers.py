"""The servers that can run the application, by the value of SERVER."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Protocol, cast

from hypercorn.typing import ASGIFramework

from app.server.config import ServerConfig
from app.server.connections import Connections
from app.server.server_packages import require_server

_MODULES = {
    "hypercorn": "app.server.server",
    "uvicorn": "app.server.uvicorn_server",
    "granian": "app.server.granian_server",
}


class Serve(Protocol):
    """Serves an application on bound sockets; each server's module has one as `serve`."""

    async def __call__(
        self,
        app: ASGIFramework,
        sockets: Sequence[socket.socket],
        config: ServerConfig,
        connections: Connections,
        on_ready: Callable[[], None],
        stop: asyncio.Event,
    ) -> None:
        """Serve until `stop` is set, and then until every response is sent.

        `on_ready` is called as soon as requests are accepted.
        """


def serving_function(name: str) -> Serve:
    """Return the function that serves on a server; raises ServerNotInstalled."""
    require_server(name)
    return cast(Serve, import_module(_MODULES[name]).serve)
