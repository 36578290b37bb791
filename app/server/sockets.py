"""The listening sockets, shared by all workers: from binding to closing without a reset client.

The event loop's own servers accept every connection and, without a free descriptor, drop all
waiting ones silently. The listener here refuses a connection over a limit before it costs anything,
and logs and counts a lack of descriptors.
"""

from __future__ import annotations

import asyncio
import ctypes
import errno
import logging
import socket
import struct
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic

from app.server.connections import Connections

_BACKLOG = 1_024
_SO_ATTACH_FILTER = 26
"""The number of this socket option on Linux; Python does not define it."""

_TCP_FLAGS, _SYN = 13, 0x02
_DROP_SYN = (
    (0x30, 0, 0, _TCP_FLAGS),  # load the byte with the TCP flags
    (0x45, 0, 1, _SYN),  # is this the first packet of a connection?
    (0x06, 0, 0, 0),  # yes: drop it
    (0x06, 0, 0, 0xFFFF_FFFF),  # no: accept it
)
"""A classic BPF program. Each instruction is (code, jump if true, jump if false, operand)."""

_BATCH = 32
"""Connections accepted before other tasks run; fewer than the reserved descriptors."""

_PAUSE_SECONDS = 0.1
_LOG_SECONDS = 60.0
_EXHAUSTED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
_REFUSAL = (
    b"HTTP/1.1 503 Service Unavailable\r\n"
    b"Connection: close\r\nContent-Length: 0\r\nRetry-After: 10\r\n\r\n"
)
_REFUSED_STATUS = 503
_READ_BYTES = 16_384

OnAccept = Callable[[socket.socket, str | None], None]
OnRefuse = Callable[[str | None, int], None]


@dataclass(frozen=True, slots=True)
class ListeningSockets:
    """The bound sockets of the service and, if it has a port, of monitoring."""

    public: Sequence[socket.socket]
    monitoring: Sequence[socket.socket] = ()

    def close(self) -> None:
        """Close all of them."""
        for each in (*self.public, *self.monitoring):
            each.close()


class CannotListen(Exception):
    """Another process has begun to listen on the address."""


def bind(host: str, port: int) -> socket.socket:
    """Open a non-blocking socket that has the address, and refuses connections until `listen`.

    Raises OSError if the address cannot be used.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        bound.bind((host, port))
    except OSError as error:
        bound.close()
        message = f"{error.strerror} (while attempting to bind on address {(host, port)!r})"
        raise OSError(error.errno, message) from None
    bound.setblocking(False)
    return bound


def listen(bound: socket.socket) -> None:
    """Let clients connect; raises CannotListen.

    A process does so once it can answer: a client that is refused, such as a proxy, turns to
    another instance at once, and one that is kept waiting does not. Of several workers each does
    so, and the first one has an effect.
    """
    try:
        bound.listen(_BACKLOG)
    except OSError as error:
        raise CannotListen(f"Cannot listen on {address_of(bound)}: {error.strerror}") from None


def address_of(bound: socket.socket) -> str:
    """Return address and port, as in a URL."""
    host, port, *_ = bound.getsockname()
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def drop_new_connections(listening_sockets: Iterable[socket.socket]) -> None:
    """Drop new connections in all processes; connections already in the queue can be accepted.

    Closing a socket resets the connections that wait in its queue. This filter drops the first
    packet of each new connection instead. The client retries a second later, and by then the
    socket is closed or another server listens on the port. Does nothing except on Linux.
    """
    instructions = b"".join(struct.pack("HBBI", *step) for step in _DROP_SYN)
    program = ctypes.create_string_buffer(instructions)
    sock_fprog = struct.pack("HP", len(_DROP_SYN), ctypes.addressof(program))
    for listening_socket in listening_sockets:
        with suppress(OSError):
            listening_socket.setsockopt(socket.SOL_SOCKET, _SO_ATTACH_FILTER, sock_fprog)


log = logging.getLogger(__name__)


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
        """Accept connections; without a free descriptor, close idle ones and pause."""
        try:
            self._accept_batch()
        except OSError as error:
            if error.errno not in _EXHAUSTED:
                raise
            self._connections.lower_limit()
            self._log(error)
            self._pause()
            self._resuming = self._loop.call_later(_PAUSE_SECONDS, self._resume)

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
                self._on_refuse(peer, _REFUSED_STATUS)
        else:
            self._on_accept(accepted, peer)

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
