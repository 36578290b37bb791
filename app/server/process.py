"""Serving processes: one alone, or a worker, started by a loader and watched by the supervisor.

A worker first sends its process ID as a line, then its status: when it is ready, and again for
each request of the supervisor, which also chooses the worker that records changes. It stops when
the supervisor closes the channel.
"""

import asyncio
import os
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from signal import SIGHUP, SIGINT, SIGTERM

import uvloop
from hypercorn.config import Config
from hypercorn.typing import ASGIFramework
from hypercorn.utils import LifespanTimeoutError
from quart import Quart

from app.factory import create_app, open_content_store
from app.feature import feature_facts
from app.platform import memory
from app.platform.asgi.scope import ASGIApp
from app.platform.clock import utc_now
from app.platform.memory import limit_malloc_arenas
from app.platform.observability.access_log import AccessLog
from app.platform.observability.logs import STDERR, log_to_stderr
from app.publishing.content.store import ContentStore
from app.server.fast_front.connections import ConnectionLimits, Connections
from app.server.fast_front.server import serve
from app.server.fast_front.strict import FrontConfig
from app.server.lifecycle import RECORD, Monitoring, WorkerStatus, stop_on
from app.server.sockets import (
    CannotListen,
    ListeningSockets,
    connections_for,
    connections_per_client_for,
    descriptor_limit,
    drop_new_connections,
    raise_descriptor_limit,
)
from app.server.stock import configure, serve_stock
from app.services import Startup, services_of
from app.settings import Settings, SettingsError, load_settings
from app.web.site.discovery import make_maps
from llms.mcp_server import McpServer

_SWITCH_SECONDS = 0.0005
"""How long a background thread may delay a request; a tenth of Python's default."""

Wrap = Callable[[Quart, asyncio.Event], ASGIApp]
"""Adds to an application what ends with an event."""


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
        wrap: Wrap | None = None,
        startup: Startup | None = None,
    ) -> None:
        raise_descriptor_limit()
        self._settings = settings
        self._startup = startup or Startup(settings.startup_seconds)
        self._sockets = sockets
        self._stop = stop
        self._app: Quart = create_app(settings, content_store=content_store, startup=self._startup)
        self._served: ASGIFramework = wrap(self._app, stop) if wrap else self._app
        self._is_open = False
        sys.setswitchinterval(_SWITCH_SECONDS)

    def status(self) -> WorkerStatus:
        """Return the status: ready while it serves, if content is loaded."""
        services = services_of(self._app)
        ready = self._is_open and not self._stop.is_set() and services.content_store.loaded
        is_late = services.content_store.origin.is_late
        return WorkerStatus(ready, services.metrics.samples(), is_late)

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

        try:
            await self._serve(start)
        except LifespanTimeoutError:
            self._startup.end_process()

    async def _serve(self, on_ready: Callable[[], None]) -> None:
        """Serve behind the fast front, or with stock Hypercorn alone."""
        settings, services = self._settings, services_of(self._app)
        config = FrontConfig() if settings.fast_front else Config()
        configure(config, settings.log_level, self._startup.left)
        if not isinstance(config, FrontConfig):
            await serve_stock(self._served, self._sockets, config, on_ready, self._stop)
            return
        access_log = services.find(AccessLog)
        config.log_refusal = access_log.write_refusal if access_log else None
        connections = Connections(_limits(settings), services.proxies, services.metrics)
        await serve(self._served, self._sockets, config, connections, on_ready, self._stop)


async def serve_single(
    settings: Settings,
    sockets: ListeningSockets,
    monitoring: Monitoring,
    wrap: Wrap | None = None,
    on_ready: Callable[[], None] = lambda: None,
) -> None:
    """Serve in this process until SIGTERM, SIGINT or SIGHUP; `wrap` adds to the application.

    `on_ready` is called as soon as requests are accepted.
    """
    stop = stop_on(SIGTERM, SIGINT, SIGHUP)
    leave = asyncio.Event()
    process = ServingProcess(settings, sockets.public, leave, wrap=wrap)

    async def status() -> WorkerStatus:
        current = process.status()
        is_ready = current.ready and not current.is_late and not stop.is_set()
        return replace(current, ready=is_ready)

    async def leave_after_delay() -> None:
        await stop.wait()
        await asyncio.sleep(settings.stop_delay_seconds)
        drop_new_connections(sockets.public)
        leave.set()

    async with monitoring(status):
        leaving = asyncio.create_task(leave_after_delay())
        await process.run(on_ready)
        leaving.cancel()


def _limits(settings: Settings) -> ConnectionLimits:
    """Return the limits of the settings, with defaults derived from the descriptor limit."""
    total = settings.max_connections or connections_for(descriptor_limit())
    per_client = settings.max_connections_per_client or connections_per_client_for(total)
    return ConnectionLimits(total, per_client)


def main() -> None:
    """Start workers on the sockets of the first argument, with commas between.

    Each further argument is the supervisor's channel to one of them. All are file descriptors.
    """
    limit_malloc_arenas()
    sockets, *ends = [
        [socket.socket(fileno=int(number)) for number in argument.split(",")]
        for argument in sys.argv[1:]
    ]
    channels = [end for (end,) in ends]
    try:
        settings = load_settings()
    except SettingsError as error:
        sys.exit(f"The worker cannot start. Invalid configuration: {error}")
    log_to_stderr(settings.log_level)
    startup = Startup(settings.startup_seconds)
    content_store = open_content_store(settings)
    if len(channels) > 1:
        startup.begin("Loading the content")
        _load(settings, content_store)
        with STDERR.without_thread():
            channels = [_fork(channels, sockets, content_store)]
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(_serve(settings, content_store, startup, sockets, *channels))
    except CannotListen as error:
        sys.exit(str(error))


def _load(settings: Settings, content_store: ContentStore) -> None:
    """Load what the workers are to share; starts no thread, as a fork would not copy it."""
    with memory.gc_frozen():
        snapshot = content_store.preload()
        if snapshot is not None:
            facts = feature_facts(settings)
            mcp = next((each for each in facts if isinstance(each, McpServer)), None)
            make_maps(snapshot, utc_now(), settings.public_url, mcp)


def _fork(
    channels: Sequence[socket.socket], sockets: Sequence[socket.socket], content_store: ContentStore
) -> socket.socket:
    """Fork a process for each channel, and return it there; this process makes what they lack.

    In a thread of a process that serves, the indexes would take several times as long. It ends
    without freeing its memory, which would copy what the others share.
    """
    for channel in channels:
        if not os.fork():
            for other in channels:
                if other is not channel:
                    other.close()
            return channel
    try:
        for each in (*channels, *sockets):
            each.close()
        content_store.make_indexes()
    finally:  # a worker that fails too reports it
        os._exit(0)


async def _serve(
    settings: Settings,
    content_store: ContentStore,
    startup: Startup,
    sockets: Sequence[socket.socket],
    channel: socket.socket,
) -> None:
    """Serve on the sockets; `channel` leads to the supervisor."""
    stop = stop_on(SIGTERM, SIGINT)
    reader, writer = await asyncio.open_connection(sock=channel)
    writer.write(b"%d\n" % os.getpid())
    process = ServingProcess(settings, sockets, stop, content_store, startup=startup)
    process.record_changes(records=False)

    def send_status() -> None:
        writer.write(process.status().to_line())

    async def answer_supervisor() -> None:
        while line := await reader.readline():
            if line == RECORD:
                process.record_changes(records=True)
            else:
                send_status()
        stop.set()

    answering = asyncio.create_task(answer_supervisor())
    await process.run(on_ready=send_status)
    answering.cancel()
    send_status()
    writer.close()
    with suppress(ConnectionError):  # the supervisor was killed
        await writer.wait_closed()
