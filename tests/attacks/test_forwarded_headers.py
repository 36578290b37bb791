"""Forwarding headers of an untrusted peer: ignored, and logged once for the operator."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from live.raw import ask
from live.server import Server

pytestmark = pytest.mark.slow


def test_an_untrusted_proxy_is_logged_once(start: Callable[..., Server]) -> None:
    """Also for cached pages; the log contains no addresses."""
    server = start(TRUSTED_PROXIES="192.0.2.1")
    for number in range(30):
        ask(server.port, "GET /ae/en/page", f"X-Forwarded-For: 203.0.113.{number}")
    records = [json.loads(line) for line in server.log.read_text().splitlines()]
    warnings = [record for record in records if record["level"] == "WARNING"]
    assert len(warnings) == 1
    assert "TRUSTED_PROXIES" in warnings[0]["message"]
    assert "203.0.113" not in server.log.read_text()


@pytest.mark.any_server
def test_a_trusted_proxy_is_not_logged(server: Server) -> None:
    """Neither is a client without the header."""
    ask(server.port, "GET /ae/en/page", "X-Forwarded-For: 203.0.113.1")
    ask(server.port, "GET /ae/en/page")
    assert "TRUSTED_PROXIES" not in server.log.read_text()
