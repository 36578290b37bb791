"""Stopping: SIGTERM stops the service, and every request in progress is answered first.

No stop leaves a traceback in the log, so that the operator sees no false alarm.
"""

from __future__ import annotations

import json
import random
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from contract.visitor import write_tree
from live.server import DEADLINE, Server, eventually

pytestmark = [pytest.mark.slow, pytest.mark.load]

API = "/api/public/v1"
ASK = f"GET {API}/pages/page HTTP/1.1\r\nHost: x\r\n\r\n".encode()
LARGE = random.Random(1).randbytes(16 * 1024 * 1024)
"""Larger than all buffers between server and client."""

Start = Callable[..., Server]


def read_answer(connection: socket.socket, begun: bytes = b"") -> tuple[bytes, bytes]:
    """Read a complete response, of which a part may be read already; return head and body."""
    head, blank, rest = begun.partition(b"\r\n\r\n")
    while not blank:
        chunk = connection.recv(65_536)
        assert chunk, "The connection ended within the head."
        head, blank, rest = (head + chunk).partition(b"\r\n\r\n")
    length = next(
        int(line.partition(b":")[2])
        for line in head.lower().split(b"\r\n")
        if line.startswith(b"content-length:")
    )
    body = bytearray(rest)
    while len(body) < length:
        chunk = connection.recv(65_536)
        assert chunk, f"The connection ended after {len(body)} of {length} bytes."
        body += chunk
    return head, bytes(body)


def is_closed(server: Server) -> bool:
    """Return whether new connections are refused, which shows that the signal was handled."""
    try:
        server.connect().close()
    except ConnectionError:
        return True
    return False


def stopped_well(server: Server) -> bool:
    """Wait for the end of the process; return whether it succeeded, without a traceback."""
    return server.process.wait(DEADLINE) == 0 and "Traceback" not in server.log.read_text()


def test_a_slow_client_receives_its_complete_response(start: Start, tmp_path: Path) -> None:
    """It had read only a part when the signal was sent."""
    write_tree(tmp_path / "content", {"images/large.png": LARGE})
    server = start()
    with server.connect() as connection:
        connection.sendall(b"GET /images/large.png HTTP/1.1\r\nHost: x\r\n\r\n")
        begun = connection.recv(1_024)
        server.stop()
        eventually(lambda: is_closed(server))
        assert server.process.poll() is None
        assert read_answer(connection, begun)[1] == LARGE
    assert stopped_well(server)


def test_every_request_that_was_sent_is_answered(start: Start) -> None:
    """30 connections that have sent their second request just before the signal."""
    server = start()
    connections = [server.connect() for _ in range(30)]
    try:
        for connection in connections:
            connection.sendall(ASK)
            assert read_answer(connection)[0].startswith(b"HTTP/1.1 200")
        for connection in connections:
            connection.sendall(ASK)
        server.stop()
        heads = [read_answer(connection)[0] for connection in connections]
        assert all(head.startswith(b"HTTP/1.1 200") for head in heads)
    finally:
        for connection in connections:
            connection.close()
    assert stopped_well(server)


def test_idle_connections_do_not_delay_the_stop(start: Start) -> None:
    """Browsers keep connections open for minutes."""
    server = start()
    with server.connect() as used, server.connect() as fresh:
        used.sendall(ASK)
        read_answer(used)
        server.stop()
        assert stopped_well(server)
        assert (used.recv(1), fresh.recv(1)) == (b"", b"")


def test_busy_clients_see_only_refused_connections(start: Start) -> None:
    """Every response is complete; afterwards new connections are refused."""
    server = start()
    started: list[int] = []

    def ask_until_the_end() -> list[int]:
        statuses: list[int] = []
        while True:
            with ExitStack() as opened:
                client = opened.enter_context(server.client())
                try:
                    response = opened.enter_context(client.stream("GET", f"{API}/pages/page"))
                except httpx.TransportError:
                    return statuses
                # What began is whole: an end within the body would raise here.
                assert json.loads(response.read())["page"]["slug"] == "page"
                statuses.append(response.status_code)
            if len(statuses) == 1:
                started.append(response.status_code)

    with ThreadPoolExecutor() as threads:
        clients = [threads.submit(ask_until_the_end) for _ in range(4)]
        eventually(lambda: len(started) == 4)
        server.stop()
        assert stopped_well(server)
        answered = [client.result(DEADLINE) for client in clients]
    assert all(set(statuses) == {200} for statuses in answered)
