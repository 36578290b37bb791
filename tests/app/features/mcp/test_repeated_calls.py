"""Repeated calls: computed once for each state of the content."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from agents import HOST, META, NEWEST, legacy, modern
from conftest import Visit
from contract.visitor import BASE_URL, NOW, FakeClock, Visitor

from app.services import services_of

ID = "/ae/en/guide"
LATER = NOW + timedelta(hours=1)


def page(text: str, more: str = "") -> dict[str, str]:
    """Return the file of a page."""
    return {"pages/guide.md": f"---\ntitle: Guide\n{more}---\n{text}\n"}


def fetched(visitor: Visitor, target: str = "/mcp") -> dict[str, Any]:
    """Return the result of a call."""
    params = {"name": "fetch", "arguments": {"id": ID}}
    result: dict[str, Any] = modern(visitor, "tools/call", params, target=target).json["result"]
    return result


def test_an_edit_is_seen_by_the_next_call(visit: Visit) -> None:
    """Of tools and of resources."""
    visitor = visit(page("Before."), mcp=True)
    uri = f"{BASE_URL}{ID}.md"
    assert "Before." in fetched(visitor)["structuredContent"]["text"]
    assert "Before." in modern(visitor, "resources/read", {"uri": uri}).text
    services = services_of(visitor.quart)
    (services.settings.content_dir / "pages/guide.md").write_text(
        "---\ntitle: Guide\n---\nAfter.\n"
    )
    services.content_store.reload()
    assert "After." in fetched(visitor)["structuredContent"]["text"]
    assert "After." in modern(visitor, "resources/read", {"uri": uri}).text


def test_a_page_is_there_from_the_instant_of_its_publication(
    visit: Visit, clock: FakeClock
) -> None:
    """An error is not kept, and neither is what the schedule has changed."""
    visitor = visit(page("Now.", f"publishedAt: {LATER.isoformat()}\n"), mcp=True)
    assert fetched(visitor)["isError"] is True
    clock.now = LATER
    assert "Now." in fetched(visitor)["structuredContent"]["text"]


def test_the_same_call_is_computed_once_for_all_revisions(visit: Visit) -> None:
    """Only its id, and what the newest revision adds, differ."""
    visitor = visit(page("Text."), mcp=True)
    cache = services_of(visitor.quart).cache
    whole = fetched(visitor)
    arguments = {"name": "fetch", "arguments": {"id": ID}}
    older = legacy(visitor, "tools/call", arguments).json["result"]
    assert (cache.hits, cache.misses) == (1, 1)
    assert older == {name: whole[name] for name in ("content", "structuredContent", "isError")}
    assert whole["resultType"] == "complete"


def test_other_arguments_and_locales_are_other_calls(visit: Visit) -> None:
    """The locale of the address is part of the question."""
    visitor = visit(page("Text."), mcp=True)
    cache = services_of(visitor.quart).cache
    for target in ("/mcp", "/mcp?country=sa", "/mcp?lang=en", "/mcp?country=ae&x=1"):
        fetched(visitor, target)
    assert (cache.hits, cache.misses) == (2, 2)


def test_calls_at_the_same_time_are_computed_once(visit: Visit) -> None:
    """The others wait for the first."""
    visitor = visit(page("Text."), mcp=True)
    cache = services_of(visitor.quart).cache
    headers = {
        **HOST,
        "Content-Type": "application/json",
        "MCP-Protocol-Version": NEWEST,
        "Mcp-Method": "resources/read",
        "Mcp-Name": f"{BASE_URL}{ID}.md",
    }
    params = {"uri": f"{BASE_URL}{ID}.md", "_meta": META}
    message = {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": params}
    body = json.dumps(message).encode()
    replies = visitor.together(
        *(visitor.exchange("POST", "/mcp", headers, f"198.51.100.{n}", body) for n in range(20))
    )
    assert {reply.body for reply in replies} == {replies[0].body}
    assert (cache.hits, cache.misses) == (19, 1)


@pytest.mark.parametrize("name", ["search", "find_passages"])
def test_searches_count_as_searches_of_the_site(site: Visitor, name: str) -> None:
    """Also if their answer is in the cache; the limit is one for all ways to search."""
    peer = {"search": "198.51.100.88", "find_passages": "198.51.100.89"}[name]
    for _ in range(60):
        site.ask("GET", "/ae/en/search?q=erp", peer=peer)
        params = {"name": name, "arguments": {"query": "erp"}}
        last = modern(site, "tools/call", params, peer=peer)
    assert (last.status, last.headers["RateLimit-Remaining"]) == (200, "60")
    over = modern(site, "tools/call", params, peer=peer)
    assert (over.status, over.headers["Retry-After"]) == (429, "60")
    assert modern(site, "tools/list", peer=peer).status == 200
