"""The listening sockets, shared by all workers, and how many connections a process may have."""

import ctypes
import resource
import socket
import struct
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass


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


_BACKLOG = 1_024
_SO_ATTACH_FILTER = 26
"""The number of this socket option on Linux; Python does not define it."""


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


_TCP_FLAGS, _SYN = 13, 0x02
_DROP_SYN = (
    (0x30, 0, 0, _TCP_FLAGS),  # load the byte with the TCP flags
    (0x45, 0, 1, _SYN),  # is this the first packet of a connection?
    (0x06, 0, 0, 0),  # yes: drop it
    (0x06, 0, 0, 0xFFFF_FFFF),  # no: accept it
)
"""A classic BPF program. Each instruction is (code, jump if true, jump if false, operand)."""


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


MAX_DESCRIPTORS = 65_536
"""Highest soft limit to request. Some programs iterate over all numbers up to the limit."""

MAX_CONNECTIONS = 4_096
"""Highest default limit of open connections. An idle connection takes about 10 kB."""

RESERVED_DESCRIPTORS = 96
"""Descriptors reserved for content files, databases, Redis, webhooks and the monitoring port."""


def raise_descriptor_limit() -> None:
    """Raise the soft limit of open files to the hard limit, up to MAX_DESCRIPTORS."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    target = MAX_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MAX_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < target:
        resource.setrlimit(resource.RLIMIT_NOFILE, (target, hard))


def descriptor_limit() -> int:
    """Return the maximum number of descriptors that the process may have open."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MAX_DESCRIPTORS if soft == resource.RLIM_INFINITY else soft


def connections_for(descriptors: int) -> int:
    """Return a connection limit that leaves descriptors for everything else.

    >>> [connections_for(descriptors) for descriptors in (64, 256, 1_024, 65_536)]
    [32, 160, 928, 4096]
    """
    return min(max(descriptors // 2, descriptors - RESERVED_DESCRIPTORS), MAX_CONNECTIONS)


def connections_per_client_for(connections: int) -> int:
    """Return the connection limit per client: at most half of the total limit.

    >>> [connections_per_client_for(connections) for connections in (1, 32, 160, 4_096)]
    [1, 16, 80, 256]
    """
    return max(1, min(connections // 2, 256))
