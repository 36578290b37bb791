"""WebSocket handshakes: refused like any other request, and counted, without a traceback."""

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

TARGETS = ("/api/public/v1/pages", "/ae/en/page", "http://x/", "/")


@pytest.mark.parametrize("target", TARGETS)
def test_a_handshake_is_refused_in_the_envelope(server: Server, target: str) -> None:
    """At any path: there is no WebSocket."""
    client = f"X-Forwarded-For: {next_client()}"
    answer = ask(server.port, f"GET {target}", client, *HANDSHAKE, closing=False)
    assert answer.status == 400
    assert violations(ERROR_ENVELOPE, answer.json) == []
    assert "WebSocket" in answer.json["error"]["message"]
    assert answer.headers["ratelimit-remaining"] == "119"
    assert "x-request-id" in answer.headers


@pytest.mark.parametrize("sent", range(2, len(HANDSHAKE)))
def test_half_a_handshake_is_refused_as_well(server: Server, sent: int) -> None:
    """And the connection goes on with HTTP: the server keeps none open that is of no use."""
    with server.connect() as connection:
        connection.sendall(raw_request("GET /", *HANDSHAKE[:sent]))
        assert read_answer(connection).status == 400
        connection.sendall(raw_request("GET /", "Connection: close"))
        assert read_answer(connection).status == 200


def test_handshakes_are_counted_and_logged_once(start: Callable[..., Server]) -> None:
    """In the limit of their address, in the metrics, and by one line of level DEBUG each."""
    port = free_port()
    server = start(METRICS_PORT=str(port), LOG_LEVEL="DEBUG")
    client = f"X-Forwarded-For: {next_client()}"
    statuses = Counter(
        ask(server.port, "GET /ae/en", client, *HANDSHAKE, closing=False).status for _ in range(150)
    )
    assert statuses == {400: 120, 429: 30}
    line = 'majlis_requests_total{route="none",status="400"} 120.0'
    eventually(lambda: line in httpx.get(f"http://127.0.0.1:{port}/metrics").text)
    logged = [json.loads(each) for each in server.log.read_text().splitlines()]
    assert [each for each in logged if "error" in each] == []
    told = [each for each in logged if "WebSocket" in each["message"]]
    assert Counter((each["level"], "request" in each) for each in told) == {("DEBUG", True): 120}
