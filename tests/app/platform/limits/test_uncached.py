"""The limit of uncached responses: clients that cause too many cache misses are refused."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import FakeClock, Reply, Visitor

from app.platform.limits.rate_limits import UNCACHED

PEER = "203.0.113.8"
ANOTHER = "203.0.113.9"
PAGE = {"pages/a.md": "---\ntitle: A\n---\n", "pages/a.ar.md": "---\ntitle: ا\n---\n"}
BROWSER = {"Accept": "text/html"}
LIMIT = 600


@pytest.fixture
def small_limit() -> Iterator[int]:
    """A limit of 3 requests instead of 600, so that a case takes 4 requests."""
    number = 3
    object.__setattr__(UNCACHED, "limit", number)
    yield number
    object.__setattr__(UNCACHED, "limit", LIMIT)


@pytest.fixture
def visitor(visit: Visit) -> Visitor:
    """Return an application with one cached page: AE in English."""
    visitor = visit(PAGE)
    visitor.get("/ae/en/a", BROWSER)
    return visitor


def spend(visitor: Visitor, number: int) -> Reply:
    """Send `number` uncached requests and return the last response."""
    for _ in range(number - 1):
        visitor.ask("HEAD", "/robots.txt", peer=PEER)
    return visitor.ask("HEAD", "/robots.txt", peer=PEER)


def test_600_uncached_reads_are_answered_and_one_more_is_refused(
    visitor: Visitor, clock: FakeClock
) -> None:
    """Cached reads, the API and other clients are not affected, and the limit ends in time.

    Reads of the API count only in their own bucket, cached or not.
    """
    for number in range(20):
        visitor.ask("HEAD", f"/api/public/v1/pages?lang={number}", peer=PEER)
    assert spend(visitor, LIMIT).status == 200
    html = visitor.ask("GET", "/sa/ar/a", BROWSER, PEER)
    assert (html.status, html.headers["Content-Language"]) == (429, "ar")
    assert html.headers["Content-Type"].startswith("text/html")
    assert "طلبات كثيرة" in html.text
    assert html.headers["Retry-After"] == "60"
    assert html.headers["RateLimit-Policy"] == '"uncached";q=600;w=60'
    assert "no-store" in html.headers["Cache-Control"]
    markdown = visitor.ask("GET", "/llms.txt", peer=PEER)
    assert (markdown.status, markdown.headers["Content-Type"]) == (
        429,
        "text/markdown; charset=utf-8",
    )
    assert visitor.ask("GET", "/ae/en/a?x=1", BROWSER, PEER).status == 200
    assert visitor.ask("GET", "/api/public/v1/pages", peer=PEER).status == 200
    assert visitor.ask("GET", "/sa/ar/a", BROWSER, ANOTHER).status == 200
    assert visitor.ask("GET", "/sa/ar/a", BROWSER, PEER).status == 200
    clock.move(timedelta(seconds=60))
    assert spend(visitor, 1).status == 200


@cases("target", ["/sa/en/a", "/llms.txt", "/ae/en/no-such", "/"])
def test_no_response_has_the_limit_headers(visitor: Visitor, target: str) -> None:
    """Other clients might get the response from a shared cache."""
    reply = visitor.ask("GET", target, peer=PEER)
    assert [name for name, _ in reply.headers if name.lower().startswith("ratelimit")] == []


@cases(
    ("method", "target", "counts"),
    [
        pytest.param("GET", "/ae/en/a?x=%zz", True, id="a malformed query"),
        pytest.param("HEAD", "/ae/en/a%00", True, id="a malformed path"),
        pytest.param("GET", "//api/public/v1/pages", True, id="two slashes"),
        pytest.param("GET", "//api/orders", True, id="two slashes, then a path of partners"),
        pytest.param("POST", "/ae/en/a?x=%zz", True, id="a write with a malformed query"),
        pytest.param("PUT", "//api/leads", True, id="a write with two slashes"),
        pytest.param("OPTIONS", "/ae/en/a?x=%zz", True, id="a preflight with a malformed query"),
        *(
            pytest.param(method, target, True, id=f"{method} {target}")
            for target in ("/ae/en/a", "/", "/llms.txt", "/nope")
            for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW")
        ),
        pytest.param("OPTIONS", "/api/public/v1/pages", True, id="a preflight of the API"),
        pytest.param("PUT", "/api/public/v1/pages", False, id="what the API counts as a read"),
        pytest.param("GET", "/ae/en/a", False, id="a page in the cache"),
    ],
)
def test_requests_count_if_no_cached_response_answers_them(
    visitor: Visitor, clock: FakeClock, small_limit: int, method: str, target: str, *, counts: bool
) -> None:
    """Whatever the method: the limit is for what a response costs, not for what is asked."""
    clock.move(timedelta(seconds=60))
    spend(visitor, small_limit - 1)
    visitor.ask(method, target, BROWSER, peer=PEER)
    assert spend(visitor, 1).status == (429 if counts else 200)
