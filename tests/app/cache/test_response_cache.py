"""The response cache returns what the application would, and is invalidated in time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from conftest import Visit
from contract.visitor import FakeClock, Reply, Visitor
from hypothesis import given
from hypothesis import strategies as st

from app.cache.response_cache import QUERIED_BYTES, ResponseCache, _negotiate
from app.content.store import ContentStore
from app.limits.rate_limits import UNCACHED, Count
from renderers.media_types import API_MEDIA_TYPES

PAGES = "/api/public/v1/pages"
POST = "---\ntitle: Due later\npublishedAt: {at:%Y-%m-%dT%H:%M:%SZ}\n---\n\nText.\n"


def everything(reply: Reply) -> tuple[int, list[tuple[str, str]], bytes]:
    """Return the status, headers and body of a response."""
    return reply.status, sorted(reply.headers.items()), reply.body


def counts(visitor: Visitor) -> tuple[int, int]:
    """Return hits and misses as reported by health."""
    cache = visitor.get("/api/public/v1/health").json["cache"]
    return cache["hits"], cache["misses"]


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("accept", ["*/*", "text/markdown", "application/json", "text/html"])
@pytest.mark.parametrize("coding", ["identity", "gzip", "br"])
@pytest.mark.parametrize("target", [PAGES, "/ae/ar/pricing", "/sa/en/erp.md", "/kw/ar"])
def test_a_hit_equals_the_response_of_the_miss(
    sample: Visitor, method: str, accept: str, coding: str, target: str
) -> None:
    """Status, headers and body are equal in every media type and coding."""
    headers = {"Accept": accept, "Accept-Encoding": coding}
    first, second = (sample.ask(method, target, headers) for _ in range(2))
    assert first.status == 200
    assert everything(first) == everything(second)


def test_a_hit_answers_304_to_a_known_etag(sample: Visitor) -> None:
    """A 304 from the cache has the headers of the application's 304."""
    etag = sample.get("/om/en/erp").headers["ETag"]
    miss = sample.get("/om/en/erp?miss=1", {"If-None-Match": etag})
    hit = sample.get("/om/en/erp", {"If-None-Match": etag})
    assert miss.status == hit.status == 304
    assert hit.body == b""
    assert "Content-Type" not in hit.headers
    assert hit.headers["ETag"] == etag
    assert hit.headers["Vary"] == miss.headers["Vary"]


def test_reads_are_counted(sample: Visitor) -> None:
    """The second of two equal reads is a hit."""
    sample.get(f"{PAGES}?country=OM")
    hits, _ = counts(sample)
    sample.get(f"{PAGES}?country=OM")
    assert counts(sample)[0] == hits + 1


def test_what_must_not_be_stored_is_not(sample: Visitor) -> None:
    """Private responses never come from the cache."""
    sample.get("/api/public/v1/locale-hint")
    hits, _ = counts(sample)
    sample.get("/api/public/v1/locale-hint")
    assert counts(sample)[0] == hits


def test_a_cached_list_is_invalidated_when_a_post_is_due(visit: Visit, clock: FakeClock) -> None:
    """The cache is cleared at the publish time, without an edit and without a restart."""
    visitor = visit({"posts/later.md": POST.format(at=clock.now + timedelta(minutes=5))})
    posts = "/api/public/v1/blog/posts"
    assert [visitor.get(posts).json["pagination"]["total"] for _ in range(2)] == [0, 0]
    clock.move(timedelta(minutes=5))
    assert visitor.get(posts).json["pagination"]["total"] == 1


def test_odd_accept_headers_share_one_entry(sample: Visitor) -> None:
    """Requests that negotiate the same media type and coding share an entry."""
    sample.get("/qa/en/erp", {"Accept": "text/html, x/y;q=0.1"})
    hits, _ = counts(sample)
    for number in range(20):
        sample.get("/qa/en/erp", {"Accept": f"text/html, x/y{number};q=0.2"})
    assert counts(sample)[0] == hits + 20


def test_random_queries_do_not_push_out_plain_pages(sample: Visitor) -> None:
    """Responses to requests with a query have a cache of their own."""
    sample.get("/bh/en/erp")
    cache = sample.quart.extensions["majlis"].cache
    for number in range(QUERIED_BYTES // 400_000):
        sample.get(f"/ae/en/blog?page={number + 1}")
    hits = cache.hits
    sample.get("/bh/en/erp")
    assert cache.hits == hits + 1


# Concurrent requests: the cache alone, around an application that waits for the test.

SCOPE = {
    "type": "http",
    "method": "GET",
    "path": "/page",
    "raw_path": b"/page",
    "query_string": b"",
}


class GatedApplication:
    """An application that counts its calls and responds when its gate opens."""

    def __init__(self, cache_control: bytes = b"public") -> None:
        self.gate = asyncio.Event()
        self.calls = 0
        self.headers = [(b"etag", b'"a1"'), (b"cache-control", cache_control)]

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Wait, then respond in two parts."""
        self.calls += 1
        await self.gate.wait()
        await send({"type": "http.response.start", "status": 200, "headers": self.headers})
        await send({"type": "http.response.body", "body": b"one ", "more_body": True})
        await send({"type": "http.response.body", "body": b"two", "more_body": False})


class Client:
    """One of several concurrent clients, and what it has received."""

    def __init__(self, application: Any, *headers: tuple[bytes, bytes]) -> None:
        self.body = b""
        self.status = 0
        self.reading = asyncio.Event()
        self.reading.set()
        scope = {**SCOPE, "headers": list(headers)}
        self.task = asyncio.create_task(application(scope, asyncio.Event().wait, self.send))

    async def send(self, message: Any) -> None:
        """Receive a message while reading."""
        self.status = message.get("status", self.status)
        await self.reading.wait()
        self.body += message.get("body", b"")


class Limit:
    """A fake rate limit that refuses the next `to_refuse` reads."""

    def __init__(self) -> None:
        self.to_refuse = 0
        self.refused: list[Any] = []
        self.gate = asyncio.Event()

    async def excess(self, scope: Any) -> Count | None:
        """Return an exceeded count while there are reads to refuse."""
        self.to_refuse -= 1
        return Count(UNCACHED, 601, 60) if self.to_refuse >= 0 else None

    async def refuse(self, excess: Count, scope: Any, receive: Any, send: Any) -> None:
        """Record the refusal and wait for the gate."""
        self.refused.append(excess)
        await self.gate.wait()


@pytest.fixture
def limit() -> Limit:
    """Return a limit that refuses nothing yet."""
    return Limit()


@pytest.fixture
def cached(tmp_path: Path, limit: Limit) -> Callable[[GatedApplication], ResponseCache]:
    """Return a function that wraps an application in a cache."""

    def wrap(application: GatedApplication) -> ResponseCache:
        return ResponseCache(
            cast(Any, application),
            ContentStore(tmp_path),
            FakeClock(),
            lambda scope: scope["query_string"],
            cast(Any, limit),
        )

    return wrap


Wrap = Callable[[GatedApplication], ResponseCache]


async def schedule() -> None:
    """Let every task run until it blocks."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_a_stampede_is_one_computation(cached: Wrap) -> None:
    """Of fifty concurrent requests, one calls the application; all get its response."""
    application = GatedApplication()
    cache = cached(application)
    clients = [Client(cache) for _ in range(50)]
    await schedule()
    application.gate.set()
    await asyncio.gather(*(client.task for client in clients))
    assert {client.body for client in clients} == {b"one two"}
    assert application.calls == 1
    assert (cache.hits, cache.misses) == (49, 1)


async def test_a_client_that_disconnects_does_not_fail_the_others(cached: Wrap) -> None:
    """The next request computes the response, and the others wait for that."""
    application = GatedApplication()
    cache = cached(application)
    clients = [Client(cache) for _ in range(10)]
    await schedule()
    clients[0].task.cancel()
    await schedule()
    application.gate.set()
    await asyncio.gather(*(client.task for client in clients[1:]))
    assert {client.body for client in clients[1:]} == {b"one two"}
    assert application.calls == 2


async def test_a_slow_client_does_not_delay_others(cached: Wrap) -> None:
    """The others do not wait until the first client has read the response."""
    application = GatedApplication()
    cache = cached(application)
    slow, *others = (Client(cache) for _ in range(5))
    slow.reading.clear()
    application.gate.set()
    await asyncio.gather(*(client.task for client in others))
    assert not slow.task.done()
    slow.reading.set()
    await slow.task
    assert {client.body for client in (slow, *others)} == {b"one two"}
    assert application.calls == 1


async def test_a_refusal_does_not_delay_requests_for_the_same(cached: Wrap, limit: Limit) -> None:
    """The next request computes the response before the refusal has been sent."""
    application = GatedApplication()
    application.gate.set()
    limit.to_refuse = 1
    refused, *others = (Client(cache) for cache in [cached(application)] * 5)
    await asyncio.gather(*(client.task for client in others))
    assert {client.body for client in others} == {b"one two"}
    assert (application.calls, len(limit.refused), refused.task.done()) == (1, 1, False)
    limit.gate.set()
    await refused.task


async def test_what_is_for_one_reader_is_computed_for_each(cached: Wrap) -> None:
    """Concurrent requests do not share a private response."""
    application = GatedApplication(b"private, no-store")
    cache = cached(application)
    clients = [Client(cache) for _ in range(10)]
    await schedule()
    application.gate.set()
    await asyncio.gather(*(client.task for client in clients))
    assert application.calls == 10
    assert cache.hits == 0


async def test_a_condition_on_a_miss_fills_the_cache(cached: Wrap) -> None:
    """A client with a known entity tag gets 304 on a miss; the next request is a hit."""
    application = GatedApplication()
    application.gate.set()
    cache = cached(application)
    returning = Client(cache, (b"if-none-match", b'"a1"'))
    await returning.task
    assert (returning.status, returning.body) == (304, b"")
    newcomer = Client(cache)
    await newcomer.task
    assert (newcomer.status, newcomer.body) == (200, b"one two")
    assert application.calls == 1


@given(accept=st.binary(max_size=2_000), coding=st.binary(max_size=2_000))
def test_any_bytes_as_accept_headers_give_one_of_few_keys(accept: bytes, coding: bytes) -> None:
    """No header value creates a cache entry of its own."""
    media_type, chosen = _negotiate(accept, coding, is_api=False)
    assert media_type.split()[0] in {"text/html", "text/markdown", "application/json", "None"}
    assert chosen in {"identity", "gzip", "br"}
    assert _negotiate(accept, coding, is_api=True) in {
        (allowed, chosen) for allowed in API_MEDIA_TYPES
    }
