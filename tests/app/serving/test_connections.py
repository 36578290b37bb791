"""Open connections: who is refused, and who gives way."""

from __future__ import annotations

from ipaddress import ip_network

import pytest

from app.asgi.trusted_proxies import TrustedProxies
from app.observability.metrics import Metrics
from app.serving.connections import ConnectionLimits, Connections


class Quiet:
    """A connection that notes its end."""

    def __init__(self) -> None:
        self.is_aborted = False

    def abort(self) -> None:
        """End."""
        self.is_aborted = True

    def announce_end(self) -> None:
        """Nothing to tell."""

    def close_if_idle(self) -> None:
        """End, too."""
        self.is_aborted = True


@pytest.fixture
def connections() -> Connections:
    """Three in all, two for each client; 10.0.0.0/8 are proxies."""
    proxies = TrustedProxies([ip_network("10.0.0.0/8")])
    return Connections(ConnectionLimits(total=3, per_client=2), proxies, Metrics())


def opened(connections: Connections, peer: str) -> Quiet:
    """One more connection of a peer."""
    assert connections.reason_to_refuse(peer) is None
    connection = Quiet()
    connections.add(connection, peer)
    return connection


def test_an_ipv6_network_is_one_client(connections: Connections) -> None:
    """Addresses within it cost nothing."""
    first = opened(connections, "2001:db8::1")
    opened(connections, "2001:db8::2")
    assert connections.reason_to_refuse("2001:db8::3") == "client"
    assert connections.reason_to_refuse("2001:db8:0:1::3") is None
    connections.remove(first)
    assert connections.reason_to_refuse("2001:db8::3") is None


def test_who_never_asked_gives_way_before_who_did(connections: Connections) -> None:
    """However long the other has waited."""
    asked, silent = opened(connections, "192.0.2.1"), opened(connections, "192.0.2.2")
    connections.note_busy(asked)
    connections.note_idle(asked, first=False)
    opened(connections, "192.0.2.3")
    opened(connections, "192.0.2.4")
    assert (asked.is_aborted, silent.is_aborted) == (False, True)


def test_who_is_busy_does_not_give_way(connections: Connections) -> None:
    """Nor does a trusted proxy."""
    proxy, *others = [
        opened(connections, address) for address in ("10.0.0.1", "192.0.2.1", "192.0.2.1")
    ]
    for busy in others:
        connections.note_busy(busy)
    connections.note_idle(proxy, first=False)
    assert connections.reason_to_refuse("192.0.2.2") == "total"
    assert [each.is_aborted for each in (proxy, *others)] == [False] * 3


def test_a_proxy_has_no_limit_but_that_of_all(connections: Connections) -> None:
    """It asks for many readers."""
    for _ in range(3):
        opened(connections, "10.0.0.1")
    assert connections.reason_to_refuse("10.0.0.1") == "total"


def test_want_of_descriptors_lowers_the_limit() -> None:
    """Sixteen that wait are closed, and no more than are left is kept from then on."""
    limits = ConnectionLimits(total=100, per_client=1)
    connections = Connections(limits, TrustedProxies(()), Metrics())
    waiting = [opened(connections, f"192.0.2.{number}") for number in range(40)]
    connections.lower()
    assert [each.is_aborted for each in waiting] == [True] * 16 + [False] * 24
    opened(connections, "192.0.2.99")
    assert waiting[16].is_aborted
