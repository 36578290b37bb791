"""A slow Redis: readers do not wait for the rate limit, and nobody gets more than it allows."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from live.server import DEADLINE, Server, eventually
from redis import Redis as Client
from stores.redis import Redis
from stores.slow_link import SlowLink

pytestmark = pytest.mark.slow

Start = Callable[..., Server]
PAGE = "/api/public/v1/pages/page"
LEADS = "/api/public/v1/leads"
READS = 30
DELAY_SECONDS = 60.0
"""Longer than the service keeps a connection that does not answer."""
WAIT_SECONDS = 5.0
"""How long each read would wait for such a connection."""
PAUSE_MILLISECONDS = 600_000
"""Longer than a test: a pause is ended by its test."""


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
        assert seconds < READS * WAIT_SECONDS / 2
        remaining = [int(reply.headers["RateLimit-Remaining"]) for reply in replies[1:]]
        assert remaining == list(range(remaining[0], remaining[0] - len(remaining), -1))
        assert "Redis did not answer" in server.log.read_text()

        def is_shared() -> bool:
            server.client_get(PAGE)
            return "Redis available again" in server.log.read_text()

        eventually(is_shared)


def test_two_services_allow_one_limit_while_redis_is_slow(start: Start, redis: Redis) -> None:
    """They know of each other: each takes its share of the reads, and leads wait for Redis."""
    servers = [start(REDIS_URL=redis.url) for _ in range(2)]
    reader = {"X-Forwarded-For": "203.0.113.78"}
    with Client.from_url(redis.url) as connection:
        eventually(lambda: connection.zcard("majlis:limit-processes") == 2)
        for server in servers:  # each count tells how many there are
            assert httpx.get(server.url + PAGE, headers=reader).status_code == 200
        connection.client_pause(PAUSE_MILLISECONDS, all=False)  # all that write, as a count does
        reads = asyncio.run(_statuses(servers, lambda client: client.get(PAGE, headers=reader), 96))
        assert 110 <= reads[200] <= 118
        assert reads[200] + reads[429] == 192
        connection.client_unpause()
        lead = {"email": "noor@example.test"}
        connection.client_pause(PAUSE_MILLISECONDS, all=False)
        with ThreadPoolExecutor(1) as other:
            sending = _statuses(
                servers, lambda client: client.post(LEADS, json=lead, headers=reader), 10
            )
            sent = other.submit(asyncio.run, sending)
            eventually(lambda: connection.info("clients")["blocked_clients"])
            connection.client_unpause()
            leads = sent.result()
        assert leads == {200: 12, 429: 8}


async def _statuses(
    servers: list[Server],
    send: Callable[[httpx.AsyncClient], Coroutine[Any, Any, httpx.Response]],
    number: int,
) -> Counter[int]:
    """Send so many requests to each server at once, and count the statuses."""
    async with AsyncExitStack() as clients:
        opened = [
            await clients.enter_async_context(
                httpx.AsyncClient(base_url=server.url, timeout=DEADLINE)
            )
            for server in servers
        ]
        replies = await asyncio.gather(*map(send, opened * number))
    return Counter(reply.status_code for reply in replies)
