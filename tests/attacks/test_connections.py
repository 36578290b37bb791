"""Connections: a flood of them keeps no reader out, and descriptors never run out unnoticed."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from live.fixtures import small_tree
from live.server import DEADLINE, Server, client_of, eventually, free_port

HALF = b"GET / HTTP/1.1\r\nHost: x\r\n"
ASK = b"GET /ae/en/page HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
FLOOD = 400
NO_PROXIES = {"TRUSTED_PROXIES": ""}


class PoorServer(Server):
    """A server that may have 256 descriptors."""

    wrapper = ("sh", "-c", 'ulimit -n 256 && exec "$@"', "sh")


@contextmanager
def flood(server: Server, source: Callable[[int], str]) -> Iterator[list[socket.socket]]:
    """Four hundred connections that never send a whole request."""
    with ExitStack() as opened:
        connections = []
        for number in range(FLOOD):
            connection = opened.enter_context(server.connect(source(number)))
            connections.append(connection)
            with suppress(ConnectionError):  # it may be refused before it says anything
                connection.sendall(HALF)
        yield connections


def one_client(number: int) -> str:
    """The same address for all."""
    return "127.0.0.9"


def many_clients(number: int) -> str:
    """An address for each."""
    return f"127.1.{number // 200}.{number % 200 + 1}"


def is_answered(server: Server) -> bool:
    """Whether another client gets the page."""
    with server.connect("127.0.0.2") as reader:
        reader.settimeout(DEADLINE / 2)
        reader.sendall(ASK)
        return reader.recv(12) == b"HTTP/1.1 200"


def figure(port: int, name: str) -> float:
    """One figure of the monitoring port."""
    with client_of(f"http://127.0.0.1:{port}") as client:
        lines = client.get("/metrics", headers={"Connection": "close"}).text.splitlines()
    return next((float(line.split()[-1]) for line in lines if line.startswith(name)), 0.0)


def test_a_flood_at_256_descriptors_keeps_no_reader_out(tmp_path: Path) -> None:
    """One client has its limit; among many, those that have waited longest give way."""
    port = free_port()
    content = small_tree(tmp_path / "content")
    settings = {**NO_PROXIES, "METRICS_PORT": str(port)}
    with PoorServer(content, tmp_path, **settings) as server:
        with flood(server, one_client):
            with server.connect(one_client(0)) as surplus:
                assert surplus.recv(1_024).startswith(b"HTTP/1.1 503 ")
            assert is_answered(server)
            eventually(lambda: figure(port, "majlis_connections ") == 80)
            assert figure(port, 'majlis_connections_closed_total{reason="room"}') == 0
        eventually(lambda: figure(port, "majlis_connections ") == 0)
        assert figure(port, 'majlis_connections_refused_total{reason="client"}') == FLOOD - 79
        with flood(server, many_clients):
            assert is_answered(server)
            assert figure(port, "majlis_connections ") <= 160
            assert figure(port, 'majlis_connections_closed_total{reason="room"}') >= FLOOD - 160
        assert "Cannot accept connections" not in server.log.read_text()


def test_want_of_descriptors_is_logged_and_counted(tmp_path: Path) -> None:
    """Where the operator allows more connections than there are descriptors; readers go on."""
    port = free_port()
    content = small_tree(tmp_path / "content")
    settings = {"METRICS_PORT": str(port), "MAX_CONNECTIONS": "1000", **NO_PROXIES}
    with PoorServer(content, tmp_path, **settings) as server, flood(server, many_clients):
        assert is_answered(server)
        assert figure(port, 'majlis_connections_refused_total{reason="descriptors"}') > 0
        log = server.log.read_text()
        assert log.count("Cannot accept connections") == 1
        assert "Traceback" not in log


def test_a_trusted_proxy_has_no_limit_of_its_own(server: Server) -> None:
    """Its connections are those of many readers."""
    with flood(server, one_client) as connections:
        assert is_answered(server)
        connections[0].sendall(b"Connection: close\r\n\r\n")
        assert connections[0].recv(9) == b"HTTP/1.1 "
