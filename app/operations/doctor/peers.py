"""The addresses that have connections to a local port, as Linux lists them."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from pathlib import Path

_TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
_LISTENING = "0A"
_MAPPED = "::ffff:"


def peers_of(port: int) -> frozenset[str]:
    """Return the addresses; none on systems that do not list them."""
    return frozenset(peer for table in _TABLES for peer in _peers(table, port))


def _peers(table: Path, port: int) -> Iterator[str]:
    try:
        lines = table.read_text(encoding="ascii").splitlines()[1:]
    except OSError:
        return
    for line in lines:
        _, local, remote, state, *_ = line.split()
        if int(local.rpartition(":")[2], 16) == port and state != _LISTENING:
            yield address_of(remote.rpartition(":")[0])


def address_of(digits: str) -> str:
    """Return the address of its digits, which are in words of the machine's byte order."""
    words = [int(digits[start : start + 8], 16) for start in range(0, len(digits), 8)]
    packed = struct.pack(f"={len(words)}I", *words)
    family = socket.AF_INET if len(words) == 1 else socket.AF_INET6
    return socket.inet_ntop(family, packed).removeprefix(_MAPPED)
