"""The listener: accepts connections, and keeps accepting when descriptors run out.

The event loop's own servers accept every connection and, without a free descriptor, drop all
waiting ones silently. This listener refuses a connection over a limit before it costs anything,
and logs and counts a lack of descriptors.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from collections.abc import Callable
from contextlib import suppress
from time import monotonic

from app.server.connections import Connections

log = logging.getLogger(__name__)

_BATCH = 32
"""Connections accepted before other tasks run; fewer than the reserved descriptors."""

_PAUSE_SECONDS = 0.1
_LOG_SECONDS = 60.0
_EXHAUSTED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
_REFUSAL = (
    b"HTTP/1.1 503 Service Unavailable\r\n"
    b"Connection: close\r\nContent-Length: 0\r\nRetry-After: 10\r\n\r\n"
)
_REFUSED = 503
_READ_BYTES = 16_384

OnAccept = Callable[[socket.socket, str | None], None]
OnRefuse = Callable[[str | None, int], None]


class Listener:
    """Accepts the connections of a listening socket until it is closed."""

    def __init__(
        self,
        listening_socket: socket.socket,
        connections: Connections,
        on_accept: OnAccept,
        on_refuse: OnRefuse | None = None,
    ) -> None:
        self._socket = listening_socket
        self._connections = connections
        self._on_accept = on_accept
        self._on_refuse = on_refuse
        self._loop = asyncio.get_running_loop()
        self._resuming: asyncio.TimerHandle | None = None
        self._logged_at = float("-inf")
        self._resume()

    def close(self) -> None:
        """Accept what waits in the queue, then stop; accepted connections stay open.

        A busy process may not have looked at the queue for long. If it is the last one that
        closes the socket, the connections in the queue are reset.
        """
        if self._socket.fileno() < 0:
            return
        self._pause()
        with suppress(OSError):
            while self._accept_batch():
                pass
        self._socket.close()

    def _resume(self) -> None:
        self._loop.add_reader(self._socket.fileno(), self._accept)

    def _pause(self) -> None:
        self._loop.remove_reader(self._socket.fileno())
        if self._resuming is not None:
            self._resuming.cancel()

    def _accept(self) -> None:
        try:
            self._accept_batch()
        except OSError as error:
            self._fail(error)

    def _accept_batch(self) -> bool:
        """Accept some connections; return whether more may wait."""
        for _ in range(_BATCH):
            try:
                accepted, address = self._socket.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return False  # another process accepted it first, or the client disconnected
            self._add_or_refuse(accepted, address)
        return True

    def _add_or_refuse(self, accepted: socket.socket, address: object) -> None:
        peer = str(address[0]) if isinstance(address, tuple) else None
        if self._connections.reason_to_refuse(peer):
            _refuse(accepted)
            if self._on_refuse is not None:
                self._on_refuse(peer, _REFUSED)
        else:
            self._on_accept(accepted, peer)

    def _fail(self, error: OSError) -> None:
        """Close idle connections if no descriptor is left, and resume after a pause."""
        if error.errno not in _EXHAUSTED:
            raise error
        self._connections.lower_limit()
        self._log(error)
        self._pause()
        self._resuming = self._loop.call_later(_PAUSE_SECONDS, self._resume)

    def _log(self, error: OSError) -> None:
        now = monotonic()
        if now - self._logged_at >= _LOG_SECONDS:
            self._logged_at = now
            log.error(
                "Cannot accept connections: %s. Raise the limit of open files"
                " (LimitNOFILE, ulimit -n) or lower MAX_CONNECTIONS.",
                error.strerror,
            )


def _refuse(accepted: socket.socket) -> None:
    """Send 503 if that is possible without waiting, and close the socket."""
    with accepted, suppress(OSError):
        accepted.setblocking(False)
        accepted.send(_REFUSAL)
        accepted.shutdown(socket.SHUT_WR)
        accepted.recv(_READ_BYTES)  # closing with unread data would reset the connection
