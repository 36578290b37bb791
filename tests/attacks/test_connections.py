"""Connection floods: other readers are served, and a lack of descriptors is logged."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from live.fixtures import small_tree
from live.server import DEADLINE, Server, client_of, eventually, free_port

pytestmark = pytest.mark.slow

HALF = b"GET / HTTP/1.1\r\nHost: x\r\n"
ASK = b"GET /ae/en/page HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
FLOOD = 400
NO_PROXIES = {"TRUSTED_PROXIES": ""}


class LimitedServer(Server):
    """A server that is limited to 256 descriptors."""

    wrapper = ("sh", "-c", 'ulimit -n 256 && exec "$@"', "sh")


@contextmanager
def flood(server: Server, source: Callable[[int], str]) -> Iterator[list[socket.socket]]:
    """Open 400 connections that never send a complete request."""
    with ExitStack() as stack:
        connections = []
        for number in range(FLOOD):
            connection = stack.enter_context(server.connect(source(number)))
            connections.append(connection)
            with suppress(ConnectionError):  # it may be refused before it sends anything
                connection.sendall(HALF)
        yield connections


def one_client(number: int) -> str:
    """Return the same address for all connections."""
    return "127.0.0.9"


def many_clients(number: int) -> str:
    """Return a different address for each connection."""
    return f"127.1.{number // 200}.{number % 200 + 1}"


def is_answered(server: Server) -> bool:
    """Return whether another client receives the page."""
    with server.connect("127.0.0.2") as reader:
        reader.settimeout(DEADLINE / 2)
        reader.sendall(ASK)
        return reader.recv(12) == b"HTTP/1.1 200"


def metric(port: int, name: str) -> float:
    """Read a metric from the monitoring port."""
    with client_of(f"http://127.0.0.1:{port}") as client:
        lines = client.get("/metrics", headers={"Connection": "close"}).text.splitlines()
    return next((float(line.split()[-1]) for line in lines if line.startswith(name)), 0.0)


def test_readers_are_served_during_a_flood_at_256_descriptors(tmp_path: Path) -> None:
    """A single client has a limit; of many clients, the longest waiting are disconnected."""
    port = free_port()
    content = small_tree(tmp_path / "content")
    settings = {**NO_PROXIES, "METRICS_PORT": str(port)}
    with LimitedServer(content, tmp_path, **settings) as server:
        with flood(server, one_client):
            with server.connect(one_client(0)) as surplus:
                assert surplus.recv(1_024).startswith(b"HTTP/1.1 503 ")
            assert is_answered(server)
            eventually(lambda: metric(port, "majlis_connections ") == 80)
            assert metric(port, 'majlis_connections_closed_total{reason="room"}') == 0
        eventually(lambda: metric(port, "majlis_connections ") == 0)
        assert metric(port, 'majlis_connections_refused_total{reason="client"}') == FLOOD - 79
        with flood(server, many_clients):
            assert is_answered(server)
            assert metric(port, "majlis_connections ") <= 160
            assert metric(port, 'majlis_connections_closed_total{reason="room"}') >= FLOOD - 160
        assert "Cannot accept connections" not in server.log.read_text()


def test_a_lack_of_descriptors_is_logged_and_counted(tmp_path: Path) -> None:
    """If MAX_CONNECTIONS exceeds the number of descriptors; readers are still served."""
    port = free_port()
    content = small_tree(tmp_path / "content")
    settings = {"METRICS_PORT": str(port), "MAX_CONNECTIONS": "1000", **NO_PROXIES}
    with LimitedServer(content, tmp_path, **settings) as server, flood(server, many_clients):
        assert is_answered(server)
        assert metric(port, 'majlis_connections_refused_total{reason="descriptors"}') > 0
        log = server.log.read_text()
        assert log.count("Cannot accept connections") == 1
        assert "Traceback" not in log


def test_the_limit_per_client_does_not_apply_to_a_trusted_proxy(server: Server) -> None:
    """Its connections carry the requests of many readers."""
    with flood(server, one_client) as connections:
        assert is_answered(server)
        connections[0].sendall(b"Connection: close\r\n\r\n")
        assert connections[0].recv(9) == b"HTTP/1.1 "
