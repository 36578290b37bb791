"""The serving process: an application at a door, and what it tells of itself."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable

from quart import Quart

from app import garbage_collection
from app.factory import create_app
from app.services import services_of
from app.serving.config import ServerConfig
from app.serving.connections import ConnectionLimits, Connections
from app.serving.descriptors import (
    connections_for,
    connections_per_client_for,
    descriptor_limit,
    raise_descriptor_limit,
)
from app.serving.server import serve
from app.serving.status import WorkerStatus
from app.settings import Settings

_SWITCH_SECONDS = 0.0005
"""How long work in the background may keep a request waiting; Python's own is ten times that."""


class ServingProcess:
    """One application that is served by this process, until `stop` is set."""

    def __init__(
        self, settings: Settings, listening_socket: socket.socket, stop: asyncio.Event
    ) -> None:
        raise_descriptor_limit()
        self._settings = settings
        self._socket = listening_socket
        self._stop = stop
        self._app: Quart = create_app(settings)
        self._open = False
        sys.setswitchinterval(_SWITCH_SECONDS)

    def status(self) -> WorkerStatus:
        """Ready from the first request that is taken until the stop, where there is content."""
        at = services_of(self._app)
        ready = self._open and not self._stop.is_set() and at.content_store.loaded
        return WorkerStatus(ready, at.metrics.samples())

    async def run(self, opened: Callable[[], None]) -> None:
        """Serve; `opened` is called when requests are taken."""

        def is_open() -> None:
            garbage_collection.freeze()
            self._open = True
            opened()

        config = ServerConfig(self._settings.log_level, http2=self._settings.http2)
        await serve(self._app, self._socket, config, self._connections(), is_open, self._stop)

    def _connections(self) -> Connections:
        at = services_of(self._app)
        connections = Connections(_limits(self._settings), at.proxies, at.metrics)
        at.metrics.register(connections.metrics_samples)
        return connections


def _limits(settings: Settings) -> ConnectionLimits:
    """The limits of the settings, by default such as leave descriptors for everything else."""
    total = settings.max_connections or connections_for(descriptor_limit())
    per_client = settings.max_connections_per_client or connections_per_client_for(total)
    return ConnectionLimits(total, per_client)
