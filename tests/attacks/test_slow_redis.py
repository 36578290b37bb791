"""A slow Redis: readers do not wait for the rate limit."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from urllib.parse import urlsplit

import pytest
from live.server import Server, eventually
from stores.redis import Redis
from stores.slow_link import SlowLink

pytestmark = pytest.mark.slow

Start = Callable[..., Server]
PAGE = "/api/public/v1/pages/page"
READS = 30
DELAY_SECONDS = 0.6


def test_a_slow_redis_delays_no_reader(start: Start, redis: Redis) -> None:
    """The process counts them itself meanwhile, and in Redis again afterwards."""
    with SlowLink(urlsplit(redis.url).port or 0) as link:
        server = start(REDIS_URL=f"redis://127.0.0.1:{link.port}/0")
        with server.client() as client:
            client.headers["X-Forwarded-For"] = "203.0.113.77"
            assert client.get(PAGE).status_code == 200
            link.delay_seconds = DELAY_SECONDS
            began = monotonic()
            replies = [client.get(PAGE) for _ in range(READS)]
            seconds = monotonic() - began
        link.delay_seconds = 0.0
        assert {reply.status_code for reply in replies} == {200}
        assert seconds < READS * DELAY_SECONDS / 2
        remaining = [int(reply.headers["RateLimit-Remaining"]) for reply in replies[1:]]
        assert remaining == list(range(remaining[0], remaining[0] - len(remaining), -1))
        assert "Redis unavailable" in server.log.read_text()

        def is_shared() -> bool:
            server.client_get(PAGE)
            return "Redis available again" in server.log.read_text()

        eventually(is_shared)
