"""Forwarding headers of a peer that is not trusted: ignored, and told to the operator once."""

from __future__ import annotations

import json
from collections.abc import Callable

from live.raw import ask
from live.server import Server


def test_an_untrusted_proxy_is_told_once(start: Callable[..., Server]) -> None:
    """Of a page from the cache too; neither its clients nor itself are named."""
    server = start(TRUSTED_PROXIES="192.0.2.1")
    for number in range(30):
        ask(server.port, "GET /ae/en/page", f"X-Forwarded-For: 203.0.113.{number}")
    logged = [json.loads(each) for each in server.log.read_text().splitlines()]
    told = [each for each in logged if each["level"] == "WARNING"]
    assert len(told) == 1
    assert "TRUSTED_PROXIES" in told[0]["message"]
    assert "203.0.113" not in server.log.read_text()


def test_a_trusted_proxy_is_not_told(server: Server) -> None:
    """Nor is a client without the header."""
    ask(server.port, "GET /ae/en/page", "X-Forwarded-For: 203.0.113.1")
    ask(server.port, "GET /ae/en/page")
    assert "TRUSTED_PROXIES" not in server.log.read_text()
