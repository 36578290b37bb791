"""What all connections of a server share: its configuration and its limits."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from time import time
from wsgiref.handlers import format_date_time

from hypercorn.asyncio.worker_context import WorkerContext
from hypercorn.config import Config
from hypercorn.typing import ASGIFramework, ConnectionState

from app.platform.asgi.scope import HeaderBlock
from app.server.connections import Connections
from app.server.lifecycle import GRACEFUL_SECONDS, STARTUP_SECONDS
from app.server.output import WRITE_SECONDS, UnsentBodies
from app.server.parsing import HeadParser

KEEP_ALIVE_SECONDS = 20
"""Maximum idle time of a connection. A proxy in front should use a slightly shorter timeout."""

HEAD_SECONDS = 10.0
"""Maximum time for the first complete request head on a new connection."""


class ServerConfig(Config):
    """Hypercorn's configuration, which also sets the headers of every response."""

    def __init__(self, log_level: str) -> None:
        super().__init__()
        self.startup_timeout = STARTUP_SECONDS
        self.graceful_timeout = GRACEFUL_SECONDS
        self.keep_alive_timeout = KEEP_ALIVE_SECONDS
        self.head_timeout = HEAD_SECONDS
        self.write_timeout = WRITE_SECONDS
        # Hypercorn's own handlers would write every line a second time.
        self.errorlog = logging.getLogger("hypercorn.error")
        self.loglevel = log_level
        self.draining = False
        self.responds_at_once = False
        """Whether a request starts without a task, see `app.platform.concurrency.eager_start`."""
        self.log_refusal: Callable[[str | None, int], None] | None = None
        """Logs the peer and the status of what is refused before the application is called."""
        self._second = 0
        self._date = HeaderBlock([])

    def response_headers(self, protocol: str) -> list[tuple[bytes, bytes]]:
        """Return Date, and `Connection: close` while draining."""
        headers = self.date_block().headers
        if self.draining and protocol == "h11":
            return [*headers, (b"connection", b"close")]
        return headers

    def date_block(self) -> HeaderBlock:
        """Return Date, formatted and encoded once per second."""
        second = int(time())
        if second != self._second:
            self._second = second
            self._date = HeaderBlock([(b"date", format_date_time(second).encode())])
        return self._date


@dataclass(frozen=True, slots=True)
class Shared:
    """The objects that all connections of a server share."""

    app: ASGIFramework
    config: ServerConfig
    context: WorkerContext
    state: ConnectionState
    connections: Connections
    unsent: UnsentBodies
    heads: HeadParser
