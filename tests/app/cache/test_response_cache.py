"""The response cache answers as the application would, and forgets when it must."""

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
from app.limits.bucket import UNCACHED, Count
from renderers.media_types import API_MEDIA_TYPES

PAGES = "/api/public/v1/pages"
POST = "---\ntitle: Due later\npublishedAt: {at:%Y-%m-%dT%H:%M:%SZ}\n---\n\nText.\n"


def whole(reply: Reply) -> tuple[int, list[tuple[str, str]], bytes]:
    """All that a client sees of an answer."""
    return reply.status, sorted(reply.headers.items()), reply.body


def counts(visitor: Visitor) -> tuple[int, int]:
    """Hits and misses as health tells them."""
    cache = visitor.get("/api/public/v1/health").json["cache"]
    return cache["hits"], cache["misses"]


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("accept", ["*/*", "text/markdown", "application/json", "text/html"])
@pytest.mark.parametrize("coding", ["identity", "gzip", "br"])
@pytest.mark.parametrize("target", [PAGES, "/ae/ar/pricing", "/sa/en/erp.md", "/kw/ar"])
def test_a_hit_is_the_very_answer_of_the_miss(
    sample: Visitor, method: str, accept: str, coding: str, target: str
) -> None:
    """Status, headers and bytes alike, in every form and coding."""
    headers = {"Accept": accept, "Accept-Encoding": coding}
    first, second = (sample.ask(method, target, headers) for _ in range(2))
    assert first.status == 200
    assert whole(first) == whole(second)


def test_a_hit_knows_what_the_client_has(sample: Visitor) -> None:
    """304 from memory has the headers of the application's own 304."""
    etag = sample.get("/om/en/erp").headers["ETag"]
    own = sample.get("/om/en/erp?miss=1", {"If-None-Match": etag})
    hit = sample.get("/om/en/erp", {"If-None-Match": etag})
    assert own.status == hit.status == 304
    assert hit.body == b""
    assert "Content-Type" not in hit.headers
    assert hit.headers["ETag"] == etag
    assert hit.headers["Vary"] == own.headers["Vary"]


def test_reads_are_counted(sample: Visitor) -> None:
    """The second of two equal reads is a hit."""
    sample.get(f"{PAGES}?country=OM")
    hits, _ = counts(sample)
    sample.get(f"{PAGES}?country=OM")
    assert counts(sample)[0] == hits + 1


def test_what_must_not_be_stored_is_not(sample: Visitor) -> None:
    """Answers for one reader alone never come from memory."""
    sample.get("/api/public/v1/locale-hint")
    hits, _ = counts(sample)
    sample.get("/api/public/v1/locale-hint")
    assert counts(sample)[0] == hits


def test_a_stored_list_gives_way_when_a_post_is_due(visit: Visit, clock: FakeClock) -> None:
    """The cache turns at the publish instant, without an edit and without a restart."""
    visitor = visit({"posts/later.md": POST.format(at=clock.now + timedelta(minutes=5))})
    posts = "/api/public/v1/blog/posts"
    assert [visitor.get(posts).json["pagination"]["total"] for _ in range(2)] == [0, 0]
    clock.move(timedelta(minutes=5))
    assert visitor.get(posts).json["pagination"]["total"] == 1


def test_odd_accept_headers_share_one_entry(sample: Visitor) -> None:
    """What comes to the same form and coding is one entry."""
    sample.get("/qa/en/erp", {"Accept": "text/html, x/y;q=0.1"})
    hits, _ = counts(sample)
    for number in range(20):
        sample.get("/qa/en/erp", {"Accept": f"text/html, x/y{number};q=0.2"})
    assert counts(sample)[0] == hits + 20


def test_random_queries_do_not_push_out_plain_pages(sample: Visitor) -> None:
    """What has a query lives in a segment apart."""
    sample.get("/bh/en/erp")
    cache = sample.quart.extensions["majlis"].cache
    for number in range(QUERIED_BYTES // 400_000):
        sample.get(f"/ae/en/blog?page={number + 1}")
    hits = cache.hits
    sample.get("/bh/en/erp")
    assert cache.hits == hits + 1


# A crowd: the layer alone, around applications that stand still until the test lets them go.

SCOPE = {
    "type": "http",
    "method": "GET",
    "path": "/page",
    "raw_path": b"/page",
    "query_string": b"",
}


class Standing:
    """An application that counts its calls and answers when the gate opens."""

    def __init__(self, cache_control: bytes = b"public") -> None:
        self.gate = asyncio.Event()
        self.calls = 0
        self.headers = [(b"etag", b'"a1"'), (b"cache-control", cache_control)]

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Wait, then answer in two parts."""
        self.calls += 1
        await self.gate.wait()
        await send({"type": "http.response.start", "status": 200, "headers": self.headers})
        await send({"type": "http.response.body", "body": b"one ", "more_body": True})
        await send({"type": "http.response.body", "body": b"two", "more_body": False})


class Client:
    """What one client of the crowd has received."""

    def __init__(self, application: Any, *headers: tuple[bytes, bytes]) -> None:
        self.body = b""
        self.status = 0
        self.stuck = asyncio.Event()
        self.stuck.set()
        scope = {**SCOPE, "headers": list(headers)}
        self.task = asyncio.create_task(application(scope, asyncio.Event().wait, self.send))

    async def send(self, message: Any) -> None:
        """Take a message, unless stuck."""
        self.status = message.get("status", self.status)
        await self.stuck.wait()
        self.body += message.get("body", b"")


class Limit:
    """Refuses as many reads as it is told to."""

    def __init__(self) -> None:
        self.to_refuse = 0
        self.refused: list[Any] = []
        self.gate = asyncio.Event()

    async def excess(self, scope: Any) -> Count | None:
        """A count that is over, so long as there are reads to refuse."""
        self.to_refuse -= 1
        return Count(UNCACHED, 601, 60) if self.to_refuse >= 0 else None

    async def refuse(self, excess: Count, scope: Any, receive: Any, send: Any) -> None:
        """Take its time."""
        self.refused.append(excess)
        await self.gate.wait()


@pytest.fixture
def limit() -> Limit:
    """One that refuses nobody yet."""
    return Limit()


@pytest.fixture
def layer(tmp_path: Path, limit: Limit) -> Callable[[Standing], ResponseCache]:
    """A cache around an application, over an edition that does not change."""

    def layered(application: Standing) -> ResponseCache:
        return ResponseCache(
            cast(Any, application),
            ContentStore(tmp_path),
            FakeClock(),
            lambda scope: scope["query_string"],
            cast(Any, limit),
        )

    return layered


Layer = Callable[[Standing], ResponseCache]


async def schedule() -> None:
    """Let every task go as far as it can."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_a_stampede_is_one_computation(layer: Layer) -> None:
    """Fifty clients at once; one calls the application, all have its answer."""
    application = Standing()
    cache = layer(application)
    crowd = [Client(cache) for _ in range(50)]
    await schedule()
    application.gate.set()
    await asyncio.gather(*(client.task for client in crowd))
    assert {client.body for client in crowd} == {b"one two"}
    assert application.calls == 1
    assert (cache.hits, cache.misses) == (49, 1)


async def test_a_client_that_leaves_takes_no_answer_with_it(layer: Layer) -> None:
    """The next in the crowd computes, and the others go on waiting for that."""
    application = Standing()
    cache = layer(application)
    crowd = [Client(cache) for _ in range(10)]
    await schedule()
    crowd[0].task.cancel()
    await schedule()
    application.gate.set()
    await asyncio.gather(*(client.task for client in crowd[1:]))
    assert {client.body for client in crowd[1:]} == {b"one two"}
    assert application.calls == 2


async def test_a_slow_client_holds_up_nobody(layer: Layer) -> None:
    """Whoever computed and reads nothing is not waited for."""
    application = Standing()
    cache = layer(application)
    slow, *others = (Client(cache) for _ in range(5))
    slow.stuck.clear()
    application.gate.set()
    await asyncio.gather(*(client.task for client in others))
    assert not slow.task.done()
    slow.stuck.set()
    await slow.task
    assert {client.body for client in (slow, *others)} == {b"one two"}
    assert application.calls == 1


async def test_a_refusal_holds_up_nobody_who_asks_for_the_same(layer: Layer, limit: Limit) -> None:
    """The next in the crowd computes, before the first has heard that it asks too often."""
    application = Standing()
    application.gate.set()
    limit.to_refuse = 1
    refused, *others = (Client(layer_of) for layer_of in [layer(application)] * 5)
    await asyncio.gather(*(client.task for client in others))
    assert {client.body for client in others} == {b"one two"}
    assert (application.calls, len(limit.refused), refused.task.done()) == (1, 1, False)
    limit.gate.set()
    await refused.task


async def test_what_is_for_one_reader_is_computed_for_each(layer: Layer) -> None:
    """Though they asked together."""
    application = Standing(b"private, no-store")
    cache = layer(application)
    crowd = [Client(cache) for _ in range(10)]
    await schedule()
    application.gate.set()
    await asyncio.gather(*(client.task for client in crowd))
    assert application.calls == 10
    assert cache.hits == 0


async def test_a_condition_on_a_miss_fills_the_cache(layer: Layer) -> None:
    """Clients that hold the answer get 304, also the first; the next one gets it from memory."""
    application = Standing()
    application.gate.set()
    cache = layer(application)
    authenticate = Client(cache, (b"if-none-match", b'"a1"'))
    await authenticate.task
    assert (authenticate.status, authenticate.body) == (304, b"")
    newcomer = Client(cache)
    await newcomer.task
    assert (newcomer.status, newcomer.body) == (200, b"one two")
    assert application.calls == 1


@given(accept=st.binary(max_size=2_000), coding=st.binary(max_size=2_000))
def test_any_bytes_as_accept_headers_give_one_of_few_keys(accept: bytes, coding: bytes) -> None:
    """Nothing a client writes there makes an entry of its own."""
    form, chosen = _negotiate(accept, coding, is_api=False)
    assert form.split()[0] in {"text/html", "text/markdown", "application/json", "None"}
    assert chosen in {"identity", "gzip", "br"}
    assert _negotiate(accept, coding, is_api=True) in {(each, chosen) for each in API_MEDIA_TYPES}
