"""The response cache returns what the application would, and is invalidated in time."""

from __future__ import annotations

import asyncio
import gzip
import re
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import brotli
import pytest
from backports import zstd
from cases import cases
from conftest import Visit
from contract.visitor import FakeClock, Reply, Visitor

from app.platform.concurrency.executors import Overloaded
from app.platform.limits.rate_limits import UNCACHED, Count, RateLimited
from app.publishing.content.store import ContentStore
from app.publishing.response_cache import PLAIN_BYTES, QUERIED_BYTES, ResponseCache
from app.web.errors import Refusals
from app.web.http.request_context import current_request
from app.web.pipeline.cached_responses import CachedResponses
from app.web.pipeline.conditional_requests import ConditionalRequests

PAGES = "/api/public/v1/pages"
POST = "---\ntitle: Due later\npublishedAt: {at:%Y-%m-%dT%H:%M:%SZ}\n---\n\nText.\n"


DECODERS = {"gzip": gzip.decompress, "br": brotli.decompress, "zstd": zstd.decompress}


def everything(reply: Reply) -> tuple[int, list[tuple[str, str]], bytes]:
    """Return the status, headers and body of a response."""
    return reply.status, sorted(reply.headers.items()), reply.body


def counts(visitor: Visitor) -> tuple[int, int]:
    """Return hits and misses as reported by health."""
    cache = visitor.get("/api/public/v1/health").json["cache"]
    return cache["hits"], cache["misses"]


@cases("method", ["GET", "HEAD"])
@cases("accept", ["*/*", "text/markdown", "application/json", "text/html"])
@cases("coding", ["identity", "gzip", "br"])
@cases("target", [PAGES, "/ae/ar/pricing", "/sa/en/erp.md", "/kw/ar"])
def test_a_hit_equals_the_response_of_the_miss(
    sample: Visitor, method: str, accept: str, coding: str, target: str
) -> None:
    """Status, headers and body are equal in every media type and coding."""
    headers = {"Accept": accept, "Accept-Encoding": coding}
    first = sample.ask(method, target, headers)
    hits = counts(sample)[0]
    second = sample.ask(method, target, headers)
    assert (first.status, counts(sample)[0]) == (200, hits + 1)
    assert everything(first) == everything(second)


CONTACT = {f"registry/contact{each}.md": "---\ntitle: Contact\n---\n" for each in ("", ".ar")}


def test_a_cached_page_gives_each_visitor_a_token_of_the_form(
    visit: Visit, clock: FakeClock
) -> None:
    """Only its token is made anew; HEAD has the same headers."""
    visitor = visit(CONTACT)
    for target, coding in product(("/ae/en/contact", "/sa/ar/contact"), ("identity", *DECODERS)):
        headers, decode = {"Accept": "text/html", "Accept-Encoding": coding}, DECODERS.get(coding)
        hits = counts(visitor)[0]
        replies = []
        for _ in range(3):
            clock.move(timedelta(seconds=1))
            replies.append(visitor.ask("GET", target, headers))
        assert counts(visitor)[0] == hits + 2
        assert len({each.headers["ETag"] for each in replies}) == 1  # of what all visitors share
        head = visitor.ask("HEAD", target, headers)
        texts = [(decode(each.body) if decode else each.body).decode() for each in replies]
        tokens = [re.findall('name="token" value="([^"]+)"', text) for text in texts]
        assert len(set(map(tuple, tokens))) == 3
        assert (
            len({text.replace(each[0], "") for text, each in zip(texts, tokens, strict=True)}) == 1
        )
        for each in replies:
            assert set(each.headers.keys()) == set(head.headers.keys())
            assert int(each.headers["Content-Length"]) == len(each.body)
            assert each.headers.get("Content-Encoding", "identity") == coding


@cases("target", ["/ae/en/contact?topic=demo", "/ae/en/contact?utm_source=a"])
def test_a_page_with_a_form_that_is_not_cached_has_its_token(sample: Visitor, target: str) -> None:
    """A page that shows what its query says is not shared."""
    hits = counts(sample)[0]
    texts = [sample.get(target, {"Accept": "text/html"}).text for _ in range(2)]
    assert counts(sample)[0] == hits
    for text in texts:
        assert re.search('name="token" value="[0-9]+[.]', text)


def test_a_hit_answers_304_to_a_known_etag(sample: Visitor) -> None:
    """A 304 from the cache has the headers of the application's 304."""
    etag = sample.get("/om/en/erp").headers["ETag"]
    miss = sample.get("/om/en/erp?miss=1", {"If-None-Match": etag})
    hit = sample.get("/om/en/erp", {"If-None-Match": etag})
    assert everything(hit) == everything(miss)
    assert (hit.status, hit.body, hit.headers["ETag"]) == (304, b"", etag)
    assert "Content-Type" not in hit.headers


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


# Concurrent requests: the cache alone, around an application that waits for the test.


class GatedApplication:
    """An application that counts its calls and responds when its gate opens."""

    def __init__(self, cache_control: bytes = b"public") -> None:
        self.gate = asyncio.Event()
        self.calls = 0
        self.to_refuse = 0
        self.headers = [(b"etag", b'"a1"'), (b"cache-control", cache_control)]

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Refuse the next `to_refuse` clients; for the others wait, and respond in two parts."""
        self.to_refuse -= 1
        if self.to_refuse >= 0:
            raise RateLimited(Count(UNCACHED, 601, 60))
        self.calls += 1
        await self.gate.wait()
        await send({"type": "http.response.start", "status": 200, "headers": self.headers})
        await send({"type": "http.response.body", "body": b"one ", "more_body": True})
        await send({"type": "http.response.body", "body": b"two", "more_body": False})


class Client:
    """One of several concurrent clients, and what it has received."""

    def __init__(
        self, visitor: Visitor, application: Any, target: str = "/page", **headers: str
    ) -> None:
        self.body = b""
        self.status = 0
        self.reading = asyncio.Event()
        self.reading.set()
        self._context = visitor.context("GET", target, headers)
        self.task = asyncio.create_task(self._request(application))

    async def _request(self, application: Any) -> None:
        current_request.set(self._context)
        await application({}, asyncio.Event().wait, self.send)

    async def send(self, message: Any) -> None:
        """Receive a message while reading."""
        self.status = message.get("status", self.status)
        await self.reading.wait()
        self.body += message.get("body", b"")


Cached = tuple[Callable[..., Client], ResponseCache]
Wrap = Callable[[Any], Cached]


@pytest.fixture
def cached(tmp_path: Path, sample: Visitor) -> Wrap:
    """Return a function that wraps an application; it returns new clients of it, and its cache."""

    def wrap(application: Any) -> Cached:
        cache = ResponseCache(ContentStore(tmp_path), FakeClock())
        quart = cast(Any, SimpleNamespace(extensions={"majlis": SimpleNamespace(cache=cache)}))
        app = ConditionalRequests(CachedResponses(application, quart), quart)
        return partial(Client, sample, Refusals(app, sample.quart)), cache

    return wrap


async def schedule() -> None:
    """Let every task run until it blocks."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_random_queries_do_not_push_out_plain_pages(cached: Wrap) -> None:
    """Responses to requests with a query have a cache of their own."""
    body = b"x" * (QUERIED_BYTES // 10)

    async def respond(scope: Any, receive: Any, send: Any) -> None:
        headers = [(b"etag", b'"a1"'), (b"cache-control", b"public")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    client_of, cache = cached(respond)
    await client_of("/ae/en/blog").task
    for number in range((PLAIN_BYTES + QUERIED_BYTES) // len(body) + 1):
        await client_of(f"/ae/en/blog?page={number + 2}").task
    assert cache.hits == 0
    await client_of("/ae/en/blog").task
    assert cache.hits == 1


async def test_a_stampede_is_one_computation(cached: Wrap) -> None:
    """Of fifty concurrent requests, one calls the application; all get its response."""
    application = GatedApplication()
    client_of, cache = cached(application)
    clients = [client_of() for _ in range(50)]
    await schedule()
    application.gate.set()
    await asyncio.gather(*(client.task for client in clients))
    assert {client.body for client in clients} == {b"one two"}
    assert application.calls == 1
    assert (cache.hits, cache.misses) == (49, 1)


async def test_a_client_that_disconnects_does_not_fail_the_others(cached: Wrap) -> None:
    """The next request computes the response, and the others wait for that."""
    application = GatedApplication()
    client_of, _cache = cached(application)
    clients = [client_of() for _ in range(10)]
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
    client_of, _ = cached(application)
    slow, *others = (client_of() for _ in range(5))
    slow.reading.clear()
    application.gate.set()
    await asyncio.gather(*(client.task for client in others))
    assert not slow.task.done()
    slow.reading.set()
    await slow.task
    assert {client.body for client in (slow, *others)} == {b"one two"}
    assert application.calls == 1


async def test_a_refusal_does_not_delay_requests_for_the_same(cached: Wrap) -> None:
    """The next request computes the response, and the others wait for that."""
    application = GatedApplication()
    application.to_refuse = 1
    client_of, _ = cached(application)
    refused, *others = (client_of() for _ in range(5))
    await schedule()
    assert (application.calls, refused.status) == (1, 0)  # a refusal is sent after a pause
    application.gate.set()
    await asyncio.gather(*(client.task for client in (refused, *others)))
    assert {client.body for client in others} == {b"one two"}
    assert (application.calls, refused.status) == (1, 429)


async def test_an_overload_is_found_out_by_all_at_the_same_time(cached: Wrap) -> None:
    """Those who waited for the first do not wait for one another."""
    first, rest = asyncio.Event(), asyncio.Event()
    calls: list[None] = []

    async def overloaded(*_: object) -> None:
        calls.append(None)
        await (rest if len(calls) > 1 else first).wait()
        raise Overloaded

    client_of, _ = cached(overloaded)
    clients = [client_of() for _ in range(10)]
    await schedule()
    assert len(calls) == 1
    first.set()
    await schedule()
    assert len(calls) == 10
    rest.set()
    await asyncio.gather(*(client.task for client in clients))
    assert {client.status for client in clients} == {503}


async def test_what_is_for_one_reader_is_computed_for_each(cached: Wrap) -> None:
    """Concurrent requests do not share a private response."""
    application = GatedApplication(b"private, no-store")
    client_of, cache = cached(application)
    clients = [client_of() for _ in range(10)]
    await schedule()
    application.gate.set()
    await asyncio.gather(*(client.task for client in clients))
    assert application.calls == 10
    assert cache.hits == 0


async def test_a_condition_on_a_miss_fills_the_cache(cached: Wrap) -> None:
    """A client with a known entity tag gets 304 on a miss; the next request is a hit."""
    application = GatedApplication()
    application.gate.set()
    client_of, _ = cached(application)
    returning = client_of(**{"If-None-Match": '"a1"'})
    await returning.task
    assert (returning.status, returning.body) == (304, b"")
    newcomer = client_of()
    await newcomer.task
    assert (newcomer.status, newcomer.body) == (200, b"one two")
    assert application.calls == 1
