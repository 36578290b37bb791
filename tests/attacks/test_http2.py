"""HTTP/2 without TLS: disabled by default, and limited if enabled."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

import pytest
from h2.errors import ErrorCodes
from live.http2 import PREFACE, Http2Client
from live.processes import cpu_seconds, resident_bytes
from live.server import Server

pytestmark = pytest.mark.slow

PAGE = "/ae/en/page"
MIB = 1024 * 1024


def client(server: Server, window: int = 65_535) -> Http2Client:
    """Open a connection."""
    return Http2Client(server.connect(), window)


def test_the_preface_is_refused_unless_http2_is_on(server: Server) -> None:
    """At once with 400, instead of staying open."""
    head, _ = server.exchange(PREFACE)
    assert head.startswith(b"HTTP/1.1 400 ")


def test_an_offer_to_upgrade_is_ignored_unless_http2_is_on(server: Server) -> None:
    """The request is answered in HTTP/1.1 (RFC 9110, section 7.8)."""
    head, body = server.exchange(
        f"GET {PAGE} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings, close\r\n"
        "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n".encode()
    )
    assert head.startswith(b"HTTP/1.1 200 ")
    assert b"</html>" in body


@pytest.mark.parametrize("settings", ["AAMAAABkAAQAAP__", "%%%"])
def test_an_upgrade_is_answered(http2_server: Server, settings: str) -> None:
    """With HTTP/2, or with HTTP/1.1 if its settings are invalid."""
    head, _ = http2_server.exchange(
        f"GET {PAGE} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\n"
        f"Upgrade: h2c\r\nHTTP2-Settings: {settings}\r\n\r\nPRI broken\r\n\r\n".encode()
    )
    assert head.startswith(b"HTTP/1.1 200 " if "%" in settings else b"HTTP/1.1 101 ")


def attack_by_resets(server: Server, name: str) -> list[int]:
    """Send 900 requests on one connection, and reset each when its processing has begun."""
    with client(server) as attacker, suppress(ConnectionError):
        for wave in range(18):
            paths = [f"/ae/en/no-{name}-{wave}-{number}" for number in range(50)]
            attacker.ask(*paths)
            attacker.ping()
            if attacker.is_closed or attacker.errors:
                break
            attacker.socket.sendall(attacker.reset(50))
    return attacker.errors


def test_rapid_reset_costs_little_and_ends_the_connection(http2_server: Server) -> None:
    """Without limits, five connections take more than four seconds of processor time."""
    pid = http2_server.process.pid
    before = cpu_seconds(pid)
    errors = [attack_by_resets(http2_server, str(number)) for number in range(5)]
    for _ in range(3):
        assert http2_server.client_get(PAGE).status_code == 200
    assert cpu_seconds(pid) - before < 1.5
    assert errors[0] in ([ErrorCodes.ENHANCE_YOUR_CALM], [])  # a TCP reset may arrive before it


def test_a_window_of_zero_takes_bounded_memory(http2_server: Server) -> None:
    """The client requests 60 responses of 8 MB and reads none of them."""
    before = resident_bytes(http2_server.process.pid)
    with client(http2_server, window=0) as attacker:
        attacker.ask(*(f"/images/large.png?{number}" for number in range(60)))
        attacker.read_until_silent(1.0)
        assert attacker.heads
        assert resident_bytes(http2_server.process.pid) - before < 200 * MIB
    assert http2_server.client_get(PAGE).status_code == 200


def test_the_request_limit_of_a_connection_drops_no_request(http2_server: Server) -> None:
    """The server announces the end after 1,000 requests, and answers all earlier ones."""
    with client(http2_server) as reader:
        requests = 0
        while not reader.last_streams:
            reader.ask(*[PAGE] * 10)
            requests += 10
            reader.read_until(partial(reader.has_answered, requests - 9), answer_pings=False)
        reader.ask(*[PAGE] * 10)  # before the client has handled the announcement
        requests += 10
        reader.read_until(partial(reader.has_answered, requests), answer_pings=False)
        assert len(reader.answered) == requests
        reader.read_until(lambda: len(reader.last_streams) == 2)
        reader.ask(PAGE, PAGE)
        reader.read_until(lambda: len(reader.resets) == 2)
    assert requests > 1_000
    assert reader.last_streams == [2**31 - 1, 2 * requests - 1]
    assert [*reader.resets.values()] == [ErrorCodes.REFUSED_STREAM] * 2
    assert set(reader.errors) == {ErrorCodes.NO_ERROR}
