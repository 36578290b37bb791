"""Clients that request large responses and do not read them: memory stays bounded."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from live.processes import resident_bytes
from live.server import Server

pytestmark = pytest.mark.slow

MIB = 1024 * 1024
CLIENTS = 32


def test_clients_that_do_not_read_take_bounded_memory(
    image_server: Server, large_image: bytes
) -> None:
    """32 clients with 8 MB each; another client receives the complete response meanwhile."""
    before = resident_bytes(image_server.process.pid)
    with ExitStack() as opened:
        for number in range(CLIENTS):
            connection = opened.enter_context(image_server.connect())
            ask = f"GET /images/large.png?{number} HTTP/1.1\r\nHost: x\r\n\r\n"
            connection.sendall(ask.encode())
            assert connection.recv(12) == b"HTTP/1.1 200"
        grown = resident_bytes(image_server.process.pid) - before
        assert image_server.client_get("/images/large.png").content == large_image
    assert grown < 190 * MIB
