"""The configuration of a server: Hypercorn's, with time-outs and the headers of every answer."""

from __future__ import annotations

import logging
from time import time
from wsgiref.handlers import format_date_time

from hypercorn.config import Config

from app.serving.output import WRITE_SECONDS

OPENING_SECONDS = 120.0
"""How long the start may take: all content is read first."""

GRACEFUL_SECONDS = 25.0
"""How long answers under way may take after a stop signal."""

KEEP_ALIVE_SECONDS = 20
"""How long a connection may stay silent; a proxy in front gives it up a little earlier."""

HEAD_SECONDS = 10.0
"""How long a new connection may take for its first complete request head."""


class ServerConfig(Config):
    """Hypercorn's configuration, which also decides on the headers that every answer gets."""

    def __init__(self, log_level: str, *, http2: bool = False) -> None:
        super().__init__()
        self.http2 = http2
        self.startup_timeout = OPENING_SECONDS
        self.graceful_timeout = GRACEFUL_SECONDS
        self.keep_alive_timeout = KEEP_ALIVE_SECONDS
        self.head_timeout = HEAD_SECONDS
        self.write_timeout = WRITE_SECONDS
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
