"""HTTP/2 without TLS is not supported: its preface is refused, and an offer of it is ignored."""

from __future__ import annotations

import pytest
from live.server import Server

pytestmark = pytest.mark.slow

PAGE = "/ae/en/page"
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


def test_the_preface_is_refused(server: Server) -> None:
    """At once with 400, instead of staying open."""
    head, _ = server.exchange(PREFACE)
    assert head.startswith(b"HTTP/1.1 400 ")


def test_an_offer_to_upgrade_is_ignored(server: Server) -> None:
    """The request is answered in HTTP/1.1 (RFC 9110, section 7.8)."""
    head, body = server.exchange(
        f"GET {PAGE} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings, close\r\n"
        "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n".encode()
    )
    assert head.startswith(b"HTTP/1.1 200 ")
    assert b"</html>" in body
