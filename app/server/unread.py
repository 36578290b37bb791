"""Unread bytes: what a client has sent, and this process has not read yet."""

from __future__ import annotations

import fcntl
import socket
import struct
import termios
from contextlib import suppress


def has_unread_bytes(connected: socket.socket) -> bool:
    """Return whether bytes wait in a socket's receive buffer; False if the socket is closed."""
    with suppress(OSError, ValueError):
        (count,) = struct.unpack("i", fcntl.ioctl(connected.fileno(), termios.FIONREAD, bytes(4)))
        return bool(count)
    return False
