"""Guessed partner tokens from a partner's address: the partner itself is not locked out."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest
from live.server import Server, client_of, eventually, free_port
from storefront.shop import TOKEN

pytestmark = pytest.mark.slow

ADDRESS = "203.0.113.77"
GUESSES = 60


def ask(client: httpx.Client, token: str) -> int:
    """Send a request with this token, and return the status."""
    headers = {"Authorization": f"Bearer {token}", "X-Forwarded-For": ADDRESS}
    return client.get("/api/orders", headers=headers).status_code


def test_wrong_tokens_do_not_lock_out_the_right_one(start: Callable[..., Server]) -> None:
    """Different wrong tokens get 429 after 20, a repeated one also; each is logged once."""
    port = free_port()
    server = start(ERP_PULL_API_TOKEN=TOKEN, METRICS_PORT=str(port))
    with client_of(server.url) as client:
        old = [ask(client, "old") for _ in range(GUESSES)]
        assert (old.count(401), old.count(429)) == (20, GUESSES - 20)
        assert ask(client, "typing-error") == 401
        guesses = [ask(client, f"guess-{number}") for number in range(GUESSES)]
        assert (guesses.count(401), guesses.count(429)) == (18, GUESSES - 18)
        assert [ask(client, TOKEN) for _ in range(5)] == [200] * 5
    with client_of(f"http://127.0.0.1:{port}") as monitor:
        exposition = monitor.get("/metrics").text
    for counted in ("different_tokens", "same_token"):
        assert f'majlis_partner_lock_outs_total{{counted="{counted}"}} 1.0' in exposition
    eventually(lambda: server.log.read_text().count("invalid partner token") == 2)
    log = server.log.read_text()
    assert "203.0.113.0/24" in log
    assert not [secret for secret in (ADDRESS, "guess-", TOKEN) if secret in log]
