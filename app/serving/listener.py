"""The listener: accepts connections, and keeps accepting when descriptors run out.

The event loop's own servers accept every connection and, without a free descriptor, drop all
that wait without a word. Here a connection over a limit is refused before it costs anything,
and want of descriptors is logged and counted.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from collections.abc import Callable
from contextlib import suppress
from time import monotonic

from app.serving.connections import Connections

log = logging.getLogger(__name__)

_AT_ONCE = 32
"""Connections accepted before other work has its turn; fewer than the reserved descriptors."""

_PAUSE_SECONDS = 0.1
_LOG_SECONDS = 60.0
_EXHAUSTED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
_REFUSAL = (
    b"HTTP/1.1 503 Service Unavailable\r\n"
    b"Connection: close\r\nContent-Length: 0\r\nRetry-After: 10\r\n\r\n"
)
_READ_BYTES = 16_384

Accepted = Callable[[socket.socket, str | None], None]


class Listener:
    """Accepts the connections of a listening socket until it is closed."""

    def __init__(
        self, listening_socket: socket.socket, connections: Connections, accepted: Accepted
    ) -> None:
        self._socket = listening_socket
        self._connections = connections
        self._accepted = accepted
        self._loop = asyncio.get_running_loop()
        self._resuming: asyncio.TimerHandle | None = None
        self._logged_at = float("-inf")
        self._resume()

    def close(self) -> None:
        """Accept no more; connections that were accepted live on."""
        if self._socket.fileno() < 0:
            return
        self._pause()
        self._socket.close()

    def _resume(self) -> None:
        self._loop.add_reader(self._socket.fileno(), self._accept)

    def _pause(self) -> None:
        self._loop.remove_reader(self._socket.fileno())
        if self._resuming is not None:
            self._resuming.cancel()

    def _accept(self) -> None:
        for _ in range(_AT_ONCE):
            try:
                accepted, address = self._socket.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return  # another process was quicker, or the client has left
            except OSError as error:
                self._fail(error)
                return
            self._authorize(accepted, address)

    def _authorize(self, accepted: socket.socket, address: object) -> None:
        peer = str(address[0]) if isinstance(address, tuple) else None
        if self._connections.reason_to_refuse(peer):
            _refuse(accepted)
        else:
            self._accepted(accepted, peer)

    def _fail(self, error: OSError) -> None:
        """Without descriptors the idle give way, and accepting goes on a little later."""
        if error.errno not in _EXHAUSTED:
            raise error
        self._connections.lower()
        self._log(error)
        self._pause()
        self._resuming = self._loop.call_later(_PAUSE_SECONDS, self._resume)

    def _log(self, error: OSError) -> None:
        now = monotonic()
        if now - self._logged_at >= _LOG_SECONDS:
            self._logged_at = now
            log.error(
                "No connection can be accepted: %s. Raise the limit of open files"
                " (LimitNOFILE, ulimit -n) or lower MAX_CONNECTIONS.",
                error.strerror,
            )


def _refuse(refused: socket.socket) -> None:
    """Answer 503 where that takes no waiting, and close."""
    with refused, suppress(OSError):
        refused.setblocking(False)
        refused.send(_REFUSAL)
        refused.shutdown(socket.SHUT_WR)
        refused.recv(_READ_BYTES)  # what stays unread would turn the answer into a reset
