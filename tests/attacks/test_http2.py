"""HTTP/2 without TLS: off unless asked for, and then within bounds."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

import pytest
from h2.errors import ErrorCodes
from live.http2 import PREFACE, Http2Client
from live.processes import cpu_seconds, resident_bytes
from live.server import Server

PAGE = "/ae/en/page"
MIB = 1024 * 1024


def client(server: Server, window: int = 65_535) -> Http2Client:
    """A new connection."""
    return Http2Client(server.connect(), window)


def test_the_preface_is_refused_unless_http2_is_on(server: Server) -> None:
    """At once, with 400, rather than held open."""
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
    """With HTTP/2, or in HTTP/1.1 where its settings cannot be read."""
    head, _ = http2_server.exchange(
        f"GET {PAGE} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\n"
        f"Upgrade: h2c\r\nHTTP2-Settings: {settings}\r\n\r\nPRI broken\r\n\r\n".encode()
    )
    assert head.startswith(b"HTTP/1.1 200 " if "%" in settings else b"HTTP/1.1 101 ")


def attack_by_resets(server: Server, name: str) -> list[int]:
    """Nine hundred requests on one connection, each reset when its work has begun."""
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
    """On five connections; without bounds that is more than four seconds of processor time."""
    pid = http2_server.process.pid
    before = cpu_seconds(pid)
    errors = [attack_by_resets(http2_server, str(number)) for number in range(5)]
    for _ in range(3):
        assert http2_server.client_get(PAGE).status_code == 200
    assert cpu_seconds(pid) - before < 1.5
    assert errors[0] in ([ErrorCodes.ENHANCE_YOUR_CALM], [])  # a TCP reset may overtake it


def test_a_window_of_zero_bounds_what_is_kept(http2_server: Server) -> None:
    """Sixty answers of eight megabytes are asked for, and none is ever taken."""
    before = resident_bytes(http2_server.process.pid)
    with client(http2_server, window=0) as attacker:
        attacker.ask(*(f"/images/large.png?{number}" for number in range(60)))
        attacker.read_until_silent(1.0)
        assert attacker.heads
        assert resident_bytes(http2_server.process.pid) - before < 200 * MIB
    assert http2_server.client_get(PAGE).status_code == 200


def test_the_thousandth_request_drops_none(http2_server: Server) -> None:
    """Ten are always in flight; the end is announced, what came before it is answered whole."""
    with client(http2_server) as reader:
        asked = 0
        while not reader.last_streams:
            reader.ask(*[PAGE] * 10)
            asked += 10
            reader.read_until(partial(reader.has_answered, asked - 9), answer_pings=False)
        reader.ask(*[PAGE] * 10)  # before the client has heard of the end
        asked += 10
        reader.read_until(partial(reader.has_answered, asked), answer_pings=False)
        assert len(reader.answered) == asked
        reader.read_until(lambda: len(reader.last_streams) == 2)
        reader.ask(PAGE, PAGE)
        reader.read_until(lambda: len(reader.resets) == 2)
    assert asked > 1_000
    assert reader.last_streams == [2**31 - 1, 2 * asked - 1]
    assert [*reader.resets.values()] == [ErrorCodes.REFUSED_STREAM] * 2
    assert set(reader.errors) == {ErrorCodes.NO_ERROR}
