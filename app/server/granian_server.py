"""Granian: the server that accepts and parses in Rust, and calls the application in this loop."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, cast

from granian._granian import SocketHolder
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings, HTTP2Settings
from granian.log import LogLevels
from granian.server.embed import Server as EmbeddedServer
from hypercorn.typing import ASGIFramework

from app.server.application import started
from app.server.config import ServerConfig
from app.server.connections import Connections
from app.server.granian_application import GranianApplication
from app.server.listening_socket import address_of, listen, stop_foreign_accepts
from app.server.periods import DRAIN_SECONDS
from app.server.server import LAST_ACCEPT_SECONDS

log = logging.getLogger(__name__)

_BACKLOG = 1_024


class _Granian(EmbeddedServer):
    """Granian on a socket that listens already."""

    def __init__(
        self,
        app: ASGIFramework,
        listening_socket: socket.socket,
        config: ServerConfig,
        max_connections: int,
    ) -> None:
        super().__init__(
            app,
            interface=Interfaces.ASGINL,  # the lifespan is this module's
            http=HTTPModes.auto if config.http2 else HTTPModes.http1,
            websockets=False,  # the application refuses handshakes
            backlog=_BACKLOG,
            backpressure=max_connections,
            http1_settings=HTTP1Settings(
                # Granian has one timeout for heads and for idle connections.
                header_read_timeout=int(config.keep_alive_timeout * 1_000),
                max_buffer_size=config.h11_max_incomplete_size,
            ),
            http2_settings=HTTP2Settings(
                max_concurrent_streams=config.h2_max_concurrent_streams,
                max_headers_size=config.h2_max_header_list_size,
            ),
            log_level=LogLevels.error,
            # The handlers of this process stay; Granian's own would write to stdout.
            log_dictconfig={"incremental": True, "handlers": {}, "loggers": {}},
        )
        self.workers_kill_timeout = int(config.graceful_timeout)
        self._listening_socket = listening_socket

    def end(self) -> None:
        """Stop accepting, and wait for the responses in progress."""
        self.interrupt_signal = True
        self.main_loop_interrupt.set()

    def _init_shared_socket(self) -> None:
        """Take a copy of the socket, which Granian closes; its own method opens one."""
        holder = cast(Any, SocketHolder)  # its stub has no constructor
        # The method `dup` of a socket would make it a blocking one, in all processes.
        copy = os.dup(self._listening_socket.fileno())
        self._shd: Any = holder(copy, False, _BACKLOG)


async def serve(
    app: ASGIFramework,
    sockets: Sequence[socket.socket],
    config: ServerConfig,
    connections: Connections,
    on_ready: Callable[[], None],
    stop: asyncio.Event,
) -> None:
    """Serve until `stop` is set, and then until every response is sent."""
    (listening_socket,) = sockets
    async with started(app, config):
        listen(listening_socket)
        guarded = GranianApplication(app, config)
        granian = _Granian(guarded, listening_socket, config, connections.max_total)
        serving = asyncio.create_task(granian.serve())
        await asyncio.sleep(0)  # until it has started, or failed
        log.info("Listening on http://%s", address_of(listening_socket))
        on_ready()
        stopping = asyncio.create_task(stop.wait())
        await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if not stop.is_set():
            stopping.cancel()
            await serving
            raise RuntimeError("Granian has stopped by itself.")
        config.draining = True
        await asyncio.sleep(LAST_ACCEPT_SECONDS)
        stop_foreign_accepts(listening_socket)
        listening_socket.close()
        await asyncio.sleep(DRAIN_SECONDS)
        granian.end()
        with suppress(TimeoutError):  # of the responses in progress
            await serving
