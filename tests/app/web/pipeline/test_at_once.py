"""Requests begun without a task: cached ones are complete, and all are treated as ever."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest
from cases import cases
from contract.visitor import Reply, Visitor, scope_of
from werkzeug.datastructures import Headers

from app.platform.asgi.scope import HeaderBlock
from app.server.fast_front.plain_reads import EagerRequest
from app.services import services_of

HTML = {"accept": "text/html"}
PEER = "198.51.100.7"
SETTINGS: dict[str, Any] = {"metrics_port": 9_100, "audience": True, "access_log": "json"}


async def begin(visitor: Visitor, method: str, target: str, headers: Mapping[str, str]) -> Any:
    """Begin a request outside of a task, as the server does when it receives one."""
    scope = scope_of(method, target, headers, PEER)
    begun: asyncio.Future[EagerRequest] = asyncio.get_running_loop().create_future()

    def take() -> None:
        begun.set_result(EagerRequest(cast(Any, visitor.quart), cast(Any, scope)))

    asyncio.get_running_loop().call_soon(take)
    return await begun


async def finish(begun: EagerRequest) -> int:
    """Continue a request in its task, and return the status of its response."""
    messages: list[Any] = []
    incoming = iter(({"type": "http.request", "body": b"", "more_body": False},))
    responded = asyncio.Event()

    async def send(message: Any) -> None:
        messages.append(message)
        if message["type"] == "http.response.body":
            responded.set()

    async def receive() -> Any:
        for message in incoming:
            return message
        await responded.wait()
        return {"type": "http.disconnect"}

    continued = cast(Any, begun(cast(Any, None), cast(Any, receive), cast(Any, send)))
    await asyncio.get_running_loop().create_task(continued, context=begun.context)
    return int(messages[0]["status"])


def reply(response: bytes) -> Reply:
    """Read a response as it is sent."""
    head, _, body = response.partition(b"\r\n\r\n")
    status, *lines = head.decode("latin-1").split("\r\n")
    pairs = [(name, value) for name, _, value in (line.partition(": ") for line in lines)]
    return Reply(int(status.split()[1]), Headers(pairs), body)


@pytest.fixture(scope="module")
def visitor() -> Any:
    """An application with the sample content."""
    with Visitor(**SETTINGS | {"access_log": "off"}) as visitor:
        yield visitor


@cases(
    ("method", "target", "headers"),
    [
        pytest.param("GET", "/ae/en/pricing", HTML, id="HTML"),
        pytest.param("HEAD", "/ae/en/pricing", HTML, id="HEAD"),
        pytest.param("GET", "/sa/ar/pricing.md", {}, id="markdown"),
        pytest.param("GET", "/api/public/v1/blog/homepage", {"origin": "https://a.b"}, id="JSON"),
        pytest.param("GET", "/llms.txt", {"if-none-match": "*"}, id="a 304"),
        pytest.param("GET", "/ae/en/pricing?utm=x", {"x-request-id": "my-id"}, id="a query"),
    ],
)
def test_a_cached_response_needs_no_task(
    visitor: Visitor, method: str, target: str, headers: Mapping[str, str]
) -> None:
    """It is the one that a task would send."""
    visitor.ask("GET", target, headers, PEER)
    expected = visitor.ask(method, target, headers, PEER)
    if limit := expected.headers.get("RateLimit-Remaining"):
        headers_left = {"ratelimit-remaining": str(int(limit) - 1)}
    else:
        headers_left = {}
    response = visitor.run(begin(visitor, method, target, headers)).response(HeaderBlock([]))
    assert response is not None
    got = reply(response)
    assert (got.status, got.body) == (expected.status, expected.body)
    varying = ("ratelimit", "ratelimit-remaining")
    assert [pair for pair in got.headers if pair[0] not in varying] == [
        pair for pair in expected.headers if pair[0] not in varying
    ]
    assert headers_left.items() <= dict(got.headers).items()


@cases(
    ("target", "status"),
    [
        pytest.param("/ae/en/no-such-page", 404, id="a missing page"),
        pytest.param("/api/public/v1/blog/posts?search=erp", 200, id="a search"),
        pytest.param("/api/public/v1/health", 200, id="what is never cached"),
        pytest.param("/ae/en/erp?x=%zz", 400, id="an invalid request"),
        pytest.param("/api/orders", 503, id="a secured route, not configured"),
        pytest.param("/mcp", 404, id="MCP, which is off"),
    ],
)
def test_whatever_is_not_cached_continues_in_a_task(
    visitor: Visitor, target: str, status: int
) -> None:
    """Nothing of it has been sent by then."""
    begun = visitor.run(begin(visitor, "GET", target, {}))
    assert begun.response(HeaderBlock([])) is None
    assert visitor.run(finish(begun)) == status


def test_requests_that_begin_together_compute_one_response(visitor: Visitor) -> None:
    """The second one waits for the first, though neither has a task yet."""
    cache = services_of(visitor.quart).cache
    before = (cache.hits, cache.misses)

    async def both() -> list[int]:
        begun = [await begin(visitor, "GET", "/qa/ar/about", HTML) for _ in range(2)]
        return await asyncio.gather(*(finish(request) for request in begun))

    assert visitor.run(both()) == [200, 200]
    assert (cache.hits, cache.misses) == (before[0] + 1, before[1] + 1)


def test_a_response_at_once_counts_and_is_logged_as_any_other(tmp_path: Path) -> None:
    """In the metrics, among the readers and in the access log."""
    file = tmp_path / "access.log"
    with Visitor(access_log_file=file, **SETTINGS) as visitor:
        services = services_of(visitor.quart)
        for _ in range(2):
            visitor.ask("GET", "/ae/en/pricing", HTML, PEER)
        before = dict(services.metrics.samples())
        assert visitor.run(begin(visitor, "GET", "/ae/en/pricing", HTML)).response(HeaderBlock([]))
        after = services.metrics.samples()
        for name in ("majlis_requests", "majlis_audience_reads", "majlis_cache_hits"):
            grown = [sum(after[key]) - sum(before[key]) for key in after if key[0] == name]
            assert sum(grown) == 1, name
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    told = [{k: v for k, v in line.items() if k not in ("time", "seconds")} for line in lines]
    assert len(told) == 3
    assert told[2] == told[1]
    assert told[2]["cache"] == "hit"
