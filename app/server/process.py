"""The serving process: an application on listening sockets, and its status."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from signal import SIGHUP, SIGINT, SIGTERM

from quart import Quart

from app.factory import create_app
from app.platform import memory
from app.platform.observability.access_log import AccessLog
from app.publishing.content.store import ContentStore
from app.server.config import ServerConfig
from app.server.connections import (
    ConnectionLimits,
    Connections,
    connections_for,
    connections_per_client_for,
    descriptor_limit,
    raise_descriptor_limit,
)
from app.server.lifecycle import Monitoring, WorkerStatus, stop_on
from app.server.server import serve
from app.server.sockets import ListeningSockets, drop_new_connections
from app.services import services_of
from app.settings import Settings

_SWITCH_SECONDS = 0.0005
"""How long a background thread may delay a request; a tenth of Python's default."""


class ServingProcess:
    """An application that this process serves until `stop` is set.

    A content store may have loaded the content already.
    """

    def __init__(
        self,
        settings: Settings,
        sockets: Sequence[socket.socket],
        stop: asyncio.Event,
        content_store: ContentStore | None = None,
    ) -> None:
        raise_descriptor_limit()
        self._settings = settings
        self._sockets = sockets
        self._stop = stop
        self._app: Quart = create_app(settings, content_store=content_store)
        self._is_open = False
        sys.setswitchinterval(_SWITCH_SECONDS)

    def status(self) -> WorkerStatus:
        """Return the status: ready while it serves, if content is loaded."""
        services = services_of(self._app)
        ready = self._is_open and not self._stop.is_set() and services.content_store.loaded
        return WorkerStatus(ready, services.metrics.samples())

    def record_changes(self, *, records: bool) -> None:
        """Record the changes of the content from now on, or leave it to another process.

        A process that has begun goes on. At first each process records changes.
        """
        event = services_of(self._app).records_changes
        if records:
            event.set()
        else:
            event.clear()

    async def run(self, on_ready: Callable[[], None]) -> None:
        """Serve; `on_ready` is called as soon as requests are accepted."""

        def start() -> None:
            memory.freeze()
            self._is_open = True
            on_ready()

        config = ServerConfig(self._settings.log_level)
        config.responds_at_once = True
        access_log = services_of(self._app).find(AccessLog)
        config.log_refusal = access_log.write_refusal if access_log else None
        await serve(self._app, self._sockets, config, self._connections(), start, self._stop)

    def _connections(self) -> Connections:
        services = services_of(self._app)
        return Connections(_limits(self._settings), services.proxies, services.metrics)


async def serve_single(
    settings: Settings, sockets: ListeningSockets, monitoring: Monitoring
) -> None:
    """Serve in this process until SIGTERM, SIGINT or SIGHUP."""
    stop = stop_on(SIGTERM, SIGINT, SIGHUP)
    leave = asyncio.Event()
    process = ServingProcess(settings, sockets.public, leave)

    async def status() -> WorkerStatus:
        current = process.status()
        return replace(current, ready=current.ready and not stop.is_set())

    async def leave_after_delay() -> None:
        await stop.wait()
        await asyncio.sleep(settings.stop_delay_seconds)
        drop_new_connections(sockets.public)
        leave.set()

    async with monitoring(status):
        leaving = asyncio.create_task(leave_after_delay())
        await process.run(on_ready=lambda: None)
        leaving.cancel()


def _limits(settings: Settings) -> ConnectionLimits:
    """Return the limits of the settings, with defaults derived from the descriptor limit."""
    total = settings.max_connections or connections_for(descriptor_limit())
    per_client = settings.max_connections_per_client or connections_per_client_for(total)
    return ConnectionLimits(total, per_client)
