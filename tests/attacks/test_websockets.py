"""WebSocket handshakes: refused and counted like any invalid request, without a traceback."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable

import httpx
import pytest
from contract.schemas import ERROR_ENVELOPE
from contract.validation import violations
from live.raw import HANDSHAKE, ask, raw_request, read_answer
from live.server import Server, eventually, free_port, next_client

pytestmark = pytest.mark.slow

TARGETS = ("/api/public/v1/pages", "/ae/en/page", "http://x/", "/")


@pytest.mark.any_server
@pytest.mark.parametrize("target", TARGETS)
def test_a_handshake_is_refused_in_the_envelope(server: Server, target: str) -> None:
    """On any path, as the service has no WebSocket."""
    client = f"X-Forwarded-For: {next_client()}"
    answer = ask(server.port, f"GET {target}", client, *HANDSHAKE, closing=False)
    assert answer.status == 400
    assert violations(ERROR_ENVELOPE, answer.json) == []
    assert "WebSocket" in answer.json["error"]["message"]
    assert answer.headers["ratelimit-remaining"] == "119"
    assert "x-request-id" in answer.headers


@pytest.mark.parametrize("sent", range(2, len(HANDSHAKE)))
def test_an_incomplete_handshake_is_refused_as_well(server: Server, sent: int) -> None:
    """The connection can still be used for HTTP."""
    with server.connect() as connection:
        connection.sendall(raw_request("GET /", *HANDSHAKE[:sent]))
        assert read_answer(connection).status == 400
        connection.sendall(raw_request("GET /", "Connection: close"))
        assert read_answer(connection).status == 200


def test_handshakes_are_counted_and_logged_once(start: Callable[..., Server]) -> None:
    """In the rate limit, in the metrics, and with one DEBUG line each."""
    port = free_port()
    server = start(METRICS_PORT=str(port), LOG_LEVEL="DEBUG")
    client = f"X-Forwarded-For: {next_client()}"
    statuses = Counter(
        ask(server.port, "GET /ae/en", client, *HANDSHAKE, closing=False).status for _ in range(150)
    )
    assert statuses == {400: 120, 429: 30}
    line = 'majlis_requests_total{route="none",status="400"} 120.0'
    eventually(lambda: line in httpx.get(f"http://127.0.0.1:{port}/metrics").text)
    records = [json.loads(line) for line in server.log.read_text().splitlines()]
    assert [record for record in records if "error" in record] == []
    matches = [record for record in records if "WebSocket" in record["message"]]
    levels = Counter((record["level"], "request" in record) for record in matches)
    assert levels == {("DEBUG", True): 120}
