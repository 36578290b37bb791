"""Open connections: which are refused, and which are closed to free capacity."""

from __future__ import annotations

from ipaddress import ip_network

import pytest

from app.platform.asgi.client_address import TrustedProxies
from app.platform.observability.metrics import Metrics
from app.server.fast_front.connections import ConnectionLimits, Connections


class FakeConnection:
    """A connection that records whether it was closed."""

    def __init__(self) -> None:
        self.is_aborted = False

    def abort(self) -> None:
        """Record the end."""
        self.is_aborted = True

    def announce_end(self) -> None:
        """Do nothing."""

    def close_if_idle(self) -> None:
        """Record the end."""
        self.is_aborted = True


@pytest.fixture
def connections() -> Connections:
    """Limits of three in total and two per client; 10.0.0.0/8 are proxies."""
    proxies = TrustedProxies([ip_network("10.0.0.0/8")])
    return Connections(ConnectionLimits(total=3, per_client=2), proxies, Metrics())


def opened(connections: Connections, peer: str) -> FakeConnection:
    """Add a connection of a peer."""
    assert connections.reason_to_refuse(peer) is None
    connection = FakeConnection()
    connections.add(connection, peer)
    return connection


def test_an_ipv6_network_is_one_client(connections: Connections) -> None:
    """Its addresses share one limit."""
    first = opened(connections, "2001:db8::1")
    opened(connections, "2001:db8::2")
    assert connections.reason_to_refuse("2001:db8::3") == "client"
    assert connections.reason_to_refuse("2001:db8:0:1::3") is None
    connections.remove(first)
    assert connections.reason_to_refuse("2001:db8::3") is None


def test_a_connection_without_a_request_is_closed_first(connections: Connections) -> None:
    """Even if another one has waited longer since its last request."""
    asked, silent = opened(connections, "192.0.2.1"), opened(connections, "192.0.2.2")
    connections.note_busy(asked)
    connections.note_idle(asked)
    opened(connections, "192.0.2.3")
    opened(connections, "192.0.2.4")
    assert (asked.is_aborted, silent.is_aborted) == (False, True)


def test_busy_connections_are_not_closed(connections: Connections) -> None:
    """Neither are those of a trusted proxy."""
    proxy, *others = [
        opened(connections, address) for address in ("10.0.0.1", "192.0.2.1", "192.0.2.1")
    ]
    for busy in others:
        connections.note_busy(busy)
    connections.note_idle(proxy)
    assert connections.reason_to_refuse("192.0.2.2") == "total"
    assert [connection.is_aborted for connection in (proxy, *others)] == [False] * 3


def test_only_the_total_limit_applies_to_a_proxy(connections: Connections) -> None:
    """It forwards the requests of many clients."""
    for _ in range(3):
        opened(connections, "10.0.0.1")
    assert connections.reason_to_refuse("10.0.0.1") == "total"


def test_a_lack_of_descriptors_lowers_the_limit() -> None:
    """Sixteen waiting connections are closed, and the remaining number is the new limit."""
    limits = ConnectionLimits(total=100, per_client=1)
    connections = Connections(limits, TrustedProxies(()), Metrics())
    waiting = [opened(connections, f"192.0.2.{number}") for number in range(40)]
    connections.lower_limit()
    assert [connection.is_aborted for connection in waiting] == [True] * 16 + [False] * 24
    opened(connections, "192.0.2.99")
    assert waiting[16].is_aborted
