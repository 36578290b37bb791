"""The listening socket: when clients can connect, and who accepts their connections."""

from __future__ import annotations

import errno
import socket

import pytest

from app.server.sockets import CannotListen, bind, listen


def test_clients_are_refused_until_the_socket_listens() -> None:
    """A bound socket keeps its port, but no client waits in its queue."""
    with bind("127.0.0.1", 0) as bound, socket.socket() as client:
        assert client.connect_ex(bound.getsockname()) == errno.ECONNREFUSED
        listen(bound)
        with socket.create_connection(bound.getsockname()):
            bound.accept()[0].close()


def test_of_two_services_on_one_address_the_second_to_listen_is_told() -> None:
    """Both can bind it while neither listens."""
    with bind("127.0.0.1", 0) as first, bind(*first.getsockname()) as second:
        listen(first)
        with pytest.raises(CannotListen, match=r"127\.0\.0\.1:\d+: Address already in use"):
            listen(second)


def test_both_families_of_all_addresses_share_a_port() -> None:
    """Each has its own socket, so that addresses of IPv4 stay what they are."""
    with bind("::", 0) as six, bind("0.0.0.0", six.getsockname()[1]) as four:  # noqa: S104
        listen(six)
        listen(four)
        with socket.create_connection(("127.0.0.1", six.getsockname()[1])):
            accepted, peer = four.accept()
            accepted.close()
    assert peer[0] == "127.0.0.1"
