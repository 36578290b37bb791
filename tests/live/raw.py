"""Raw HTTP requests and responses, for requests that HTTP clients would normalise."""

from __future__ import annotations

import json
import socket
from dataclasses import dataclass
from typing import Any

from live.server import DEADLINE

HANDSHAKE = (
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
)
"""The headers of a WebSocket handshake."""


@dataclass(frozen=True)
class RawAnswer:
    """A response: its status, its headers by lower-case name, its body."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


def raw_request(line: str, *headers: str, host: str = "x", body: bytes = b"") -> bytes:
    """Build a request; `line` has the method and the target."""
    length = (f"Content-Length: {len(body)}",) if body else ()
    lines = (f"{line} HTTP/1.1", f"Host: {host}", *headers, *length, "", "")
    return "\r\n".join(lines).encode("latin-1") + body


def ask(
    port: int, line: str, *headers: str, host: str = "x", body: bytes = b"", closing: bool = True
) -> RawAnswer:
    """Send a request on a new connection, and read its response."""
    close = ("Connection: close",) if closing else ()
    with socket.create_connection(("127.0.0.1", port), timeout=DEADLINE) as connection:
        connection.sendall(raw_request(line, *headers, *close, host=host, body=body))
        return read_answer(connection)


def read_answer(connection: socket.socket) -> RawAnswer:
    """Read the next response on a connection, up to its Content-Length or the end."""
    with connection.makefile("rb") as stream:
        status = int(stream.readline().split()[1])
        headers = {}
        while line := stream.readline().strip():
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        length = headers.get("content-length")
        return RawAnswer(status, headers, stream.read(int(length) if length else -1))
