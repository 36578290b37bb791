"""Abuse: slow, endless or deeply nested requests take bounded time and memory."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from itertools import repeat

import pytest
from live.processes import open_files, resident_bytes
from live.server import Server, eventually

from app.server.fast_front.strict import KEEP_ALIVE_SECONDS

pytestmark = [pytest.mark.slow, pytest.mark.load]

API = "/api/public/v1"
GET = f"GET {API}/pages/page HTTP/1.1\r\nHost: x\r\n"
POST = f"POST {API}/leads HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
CONNECTIONS = 300
TIMEOUT = 25.0
"""Seconds within which a slow client must be refused, slightly longer than the service's own."""


def drip(server: Server, begin: bytes, drops: Iterator[bytes]) -> tuple[bytes, float]:
    """Send a request that never ends, slowly; return the response and the seconds until then."""
    started = time.monotonic()
    answer = b""
    with server.connect() as connection:
        connection.settimeout(0.2)
        connection.sendall(begin)
        while time.monotonic() - started < TIMEOUT:
            with suppress(TimeoutError):
                chunk = connection.recv(65_536)
                answer += chunk
                if not chunk:
                    break
            try:
                connection.sendall(next(drops))
            except OSError:
                break
    return answer, time.monotonic() - started


def is_quick(server: Server) -> bool:
    """Return whether another client is served normally."""
    with server.client() as client:
        return client.get(f"{API}/pages/page").status_code == 200


def test_a_body_that_is_too_slow_is_refused(server: Server) -> None:
    """With 408, also if it is chunked."""
    slow: list[tuple[bytes, Iterator[bytes]]] = [
        (f"{POST}Content-Length: 1000\r\n\r\n".encode(), repeat(b" ")),
        (f"{POST}Transfer-Encoding: chunked\r\n\r\n".encode(), repeat(b"1\r\n \r\n")),
    ]
    with ThreadPoolExecutor(len(slow)) as pool:
        results = list(pool.map(lambda request: drip(server, *request), slow))
    answers = [answer.partition(b"\r\n")[0] for answer, _ in results]
    assert answers == [b"HTTP/1.1 408 "] * 2
    assert b"VALIDATION_ERROR" in results[0][0]
    assert [seconds for _, seconds in results if seconds >= TIMEOUT] == []


def endless(server: Server, begin: str, more: bytes) -> tuple[bytes, int]:
    """Send without end at full speed; return the status line and the number of bytes sent."""
    sent, answer = 0, b""
    with server.connect() as connection, suppress(OSError):
        connection.sendall(begin.encode())
        while sent < 64 * 1024 * 1024:
            connection.settimeout(0.01)
            with suppress(TimeoutError):
                answer += connection.recv(65_536)
                if answer:
                    break
            connection.settimeout(5)
            sent += connection.send(more)
    return answer.partition(b"\r\n")[0], sent


@pytest.mark.parametrize(
    ("begin", "more", "statuses"),
    [
        pytest.param(GET, b"X-A: " + b"a" * 1_000 + b"\r\n", (400, 431), id="headers"),
        pytest.param(GET + "X-A: ", b"a" * 1_000, (400, 431), id="one header"),
        pytest.param("GET /", b"a" * 1_000, (400, 414, 431), id="a URL"),
        pytest.param(
            f"{POST}Content-Length: 100000000\r\n\r\n", b" " * 10_000, (413,), id="a body"
        ),
        pytest.param(
            f"{POST}Transfer-Encoding: chunked\r\n\r\n",
            b"2710\r\n" + b" " * 10_000 + b"\r\n",
            (413,),
            id="chunks",
        ),
    ],
)
def test_an_endless_request_is_refused(
    server: Server, begin: str, more: bytes, statuses: tuple[int, ...]
) -> None:
    """After at most 16 MB."""
    line, sent = endless(server, begin, more)
    assert int(line.split()[1]) in statuses
    assert sent < 16 * 1024 * 1024
    assert is_quick(server)


def test_many_connections_do_not_block_others(start: Callable[..., Server]) -> None:
    """Idle ones, and ones with an incomplete large body; memory stays bounded."""
    server = start()
    assert is_quick(server)
    before = resident_bytes(server.process.pid)
    body = f"{POST}Content-Length: 65000\r\n\r\n".encode() + b" " * 64_000
    with ExitStack() as opened:
        for number in range(CONNECTIONS):
            connection: socket.socket = opened.enter_context(server.connect())
            if number % 2:
                connection.sendall(body)
        assert is_quick(server)
        grown = resident_bytes(server.process.pid) - before
    assert grown < 100 * 1024 * 1024
    assert is_quick(server)


def test_a_closed_connection_frees_its_descriptor_at_once(start: Callable[..., Server]) -> None:
    """Not after KEEP_ALIVE_SECONDS, when new connections could have used all descriptors."""
    server = start()
    assert is_quick(server)
    before = open_files(server.process.pid)
    with ExitStack() as opened:
        for _ in range(CONNECTIONS):
            opened.enter_context(server.client()).get(f"{API}/pages/page")
        assert open_files(server.process.pid) > before + CONNECTIONS / 2
    eventually(lambda: open_files(server.process.pid) <= before, within=KEEP_ALIVE_SECONDS / 2)


def test_hostile_bodies_leak_no_memory(start: Callable[..., Server]) -> None:
    """The process has grown only a little after 200 of them."""
    server = start()
    hostile = [
        b"[" * 60_000,
        b'{"x":' * 10_000 + b"1" + b"}" * 10_000,
        b'{"x": ' + b"9" * 60_000 + b"}",
        b'{"email": "' + b"a@" * 30_000 + b'"}',
        b'{"email": "' + b"a." * 30_000 + b'"}',
    ]
    headers = {"Content-Type": "application/json"}
    with server.client() as client:
        client.post(f"{API}/leads", content=hostile[0], headers=headers)
        before = resident_bytes(server.process.pid)
        for body in hostile * 40:
            assert client.post(f"{API}/leads", content=body, headers=headers).status_code == 400
    assert resident_bytes(server.process.pid) - before < 50 * 1024 * 1024
