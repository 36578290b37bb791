"""Refusals: a refused request gets the same error as any other, without entering Quart."""

from __future__ import annotations

from typing import Any

import pytest
from cases import cases
from contract.schemas import ERROR_ENVELOPE
from contract.validation import violations
from contract.visitor import Visitor
from quart import Quart
from werkzeug.routing import MapAdapter

from app.platform.concurrency.executors import Capacity, Overloaded

API = "/api/public/v1"
PEER = "203.0.113.21"
UPGRADE = {"Upgrade": "websocket", "Connection": "Upgrade"}


@pytest.fixture
def entered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of the requests that enter Quart."""
    paths: list[str] = []
    handle_request = Quart.handle_request

    async def recording(self: Quart, request: Any) -> Any:
        paths.append(request.path)
        return await handle_request(self, request)

    monkeypatch.setattr(Quart, "handle_request", recording)
    return paths


@pytest.mark.parametrize(
    ("target", "headers", "status"),
    [
        pytest.param(f"{API}/pages/%zz", {}, 400, id="malformed path"),
        pytest.param(f"{API}/pages?x=%ff", {}, 400, id="malformed query"),
        pytest.param(f"{API}/pages%0A", {}, 400, id="control character"),
        pytest.param(f"/{API}/pages", {}, 404, id="doubled slash"),
        pytest.param("/ae/en", UPGRADE, 400, id="WebSocket handshake"),
        pytest.param("no-path", {}, 400, id="no path"),
        *(
            pytest.param("/ae/en", {"Host": host}, 400, id=f"the host {host!r}")
            for host in (
                "a b",
                "a/b",
                "<b>",
                "a:b",
                "a:80:80",
                "user@a",
                "[::1",
                "[::g]",
                "a, b",
                "é",
            )
        ),
        pytest.param("/api/orders", {}, 503, id="partners, not configured"),
    ],
)
def test_a_refused_request_does_not_enter_quart(
    sample: Visitor, entered: list[str], target: str, headers: dict[str, str], status: int
) -> None:
    """The error has the envelope and the headers of every error."""
    reply = sample.get(target, headers)
    assert (reply.status, entered) == (status, [])
    assert violations(ERROR_ENVELOPE, reply.json) == []
    assert reply.headers["Cache-Control"] == "no-store"
    assert reply.headers["Vary"] == "Accept, Accept-Encoding"
    assert reply.headers["X-Content-Type-Options"] == "nosniff"
    assert reply.headers["X-Request-Id"]


@cases("host", ["", "a", "A.example:", "a_b.example:8080", "127.0.0.1", "[::1]:80"])
def test_a_well_formed_host_is_no_reason_to_refuse(sample: Visitor, host: str) -> None:
    """An empty one is allowed too (RFC 9112, section 3.2)."""
    assert sample.get(f"{API}/health", {"Host": host}).status == 200


def test_an_invalid_request_for_a_page_gets_an_error_page(
    sample: Visitor, entered: list[str]
) -> None:
    """In the language of its path, with the policy of a page."""
    reply = sample.get("/sa/ar/%zz", {"Accept": "text/html"})
    assert (reply.status, reply.headers["Content-Language"], entered) == (400, "ar", [])
    assert "Content-Security-Policy" in reply.headers


def test_an_excess_request_does_not_enter_quart(sample: Visitor, entered: list[str]) -> None:
    """It is refused before the cache is asked."""
    assert sample.get(f"{API}/cities?country=QA").status == 200  # in the cache from here on
    for _ in range(120):
        sample.ask("DELETE", f"{API}/pages", peer=PEER)
    entered.clear()
    assert sample.ask("GET", f"{API}/cities?country=QA", peer=PEER).status == 429
    assert entered == []


def test_an_overloaded_service_does_not_let_more_requests_into_quart(
    sample: Visitor, entered: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They get 503 with Retry-After, as pages or in the envelope."""

    async def refuse(*_: object) -> None:
        raise Overloaded

    monkeypatch.setattr(Capacity, "acquire", refuse)
    page = sample.get("/bh/ar/blog?page=977", {"Accept": "text/html"})  # in no cache
    resource = sample.get(f"{API}/blog/posts?page=977")
    for reply in (page, resource):
        assert (reply.status, reply.headers["Retry-After"]) == (503, "5")
    assert page.headers["Content-Type"].startswith("text/html")
    assert resource.json["error"]["code"] == "SERVICE_UNAVAILABLE"
    assert entered == []


def test_a_refusal_that_cannot_be_rendered_is_a_500(
    sample: Visitor, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """In the envelope, with the reason in the log only, as for errors of handlers."""

    async def fail(_: object) -> None:
        raise RuntimeError("password=hunter2")

    monkeypatch.setattr("app.web.errors.majlis_error", fail)
    reply = sample.get(f"{API}/pages/%zz")
    assert (reply.status, reply.json["error"]["code"]) == (500, "INTERNAL_ERROR")
    assert "hunter2" not in reply.text
    assert "hunter2" in caplog.text


def test_a_request_is_matched_once(sample: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the route table; Quart takes its route from the context."""
    matched: list[object] = []
    match = MapAdapter.match

    def recording(self: MapAdapter, *args: Any, **options: Any) -> Any:
        matched.append(args)
        return match(self, *args, **options)

    monkeypatch.setattr(MapAdapter, "match", recording)
    assert sample.get("/kw/ar/solutions?matched=once").status == 200
    assert len(matched) <= 1
    assert sample.get("/kw/ar/solutions?page=2", {"Accept": "text/markdown"}).status == 200
    assert len(matched) <= 1
