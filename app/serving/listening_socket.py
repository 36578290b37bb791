"""The door: the listening socket, shared by all workers, and how it is closed on nobody."""

from __future__ import annotations

import ctypes
import socket
import struct
from contextlib import suppress

_BACKLOG = 1_024
_SO_ATTACH_FILTER = 26
"""Of Linux; Python has no name for it."""

_TCP_FLAGS, _SYN = 13, 0x02
_DROP_SYN = (
    (0x30, 0, 0, _TCP_FLAGS),  # load the byte of the flags
    (0x45, 0, 1, _SYN),  # is this the first packet of a connection?
    (0x06, 0, 0, 0),  # then drop it
    (0x06, 0, 0, 0xFFFF_FFFF),  # else let it in
)
"""A classic BPF program of four steps, each (code, jump if true, jump if false, operand)."""


def listen(host: str, port: int) -> socket.socket:
    """Listen at an address; raises OSError where that cannot be."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening_socket = socket.create_server((host, port), family=family, backlog=_BACKLOG)
    listening_socket.setblocking(False)
    return listening_socket


def drop_new_connections(listening_socket: socket.socket) -> None:
    """Let no new connection begin, in any process; those begun may still be accepted.

    A socket that is simply closed resets the connections that wait in its queue. Here the
    newcomer's first packet is dropped instead: it tries again a second later, and then either
    finds the door closed or the next server behind it. Elsewhere than on Linux nothing happens.
    """
    program = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *s) for s in _DROP_SYN))
    described = struct.pack("HP", len(_DROP_SYN), ctypes.addressof(program))
    with suppress(OSError):
        listening_socket.setsockopt(socket.SOL_SOCKET, _SO_ATTACH_FILTER, described)
