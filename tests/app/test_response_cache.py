"""The response cache answers as the application would, and forgets when it must."""

from __future__ import annotations

from datetime import timedelta

import pytest
from conftest import Visit
from contract.visitor import FakeClock, Reply, Visitor
from hypothesis import given
from hypothesis import strategies as st

from app.response_cache import QUERIED_BYTES, Segment, Stored

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


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 600)), max_size=60))
def test_a_segment_never_grows_beyond_its_limit(puts: list[tuple[int, int]]) -> None:
    """Whatever is put, the bytes kept stay within the limit and are counted right."""
    segment = Segment(limit=6_000)
    for number, length in puts:
        segment.put((f"/{number}", b"", "json", "br"), Stored([], [], "e", b"x" * length))
        assert segment.size <= 6_000


def test_random_queries_do_not_push_out_plain_pages(sample: Visitor) -> None:
    """What has a query lives in a segment apart."""
    sample.get("/bh/en/erp")
    cache = sample.quart.extensions["majlis"].cache
    for number in range(QUERIED_BYTES // 400_000):
        sample.get(f"{PAGES}?x={number}")
    hits = cache.hits
    sample.get("/bh/en/erp")
    assert cache.hits == hits + 1
