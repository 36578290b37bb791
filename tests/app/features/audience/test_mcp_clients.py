"""MCP clients are counted by the name that they tell, and their searches with the hits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from agents import META, legacy, modern
from cases import cases
from contract.visitor import Visitor

from app.features.audience.counting import Audience
from app.features.audience.model import Batch
from app.features.mcp.messages import CLIENT_KEY
from app.services import Services


@pytest.fixture(scope="module")
def visitor() -> Iterator[Visitor]:
    """An application with MCP that counts its readers."""
    with Visitor(mcp=True, audience=True) as visitor:
        yield visitor


def counted(visitor: Visitor) -> Batch:
    """Take what was counted since the last time."""
    services: Services = visitor.quart.extensions["majlis"]
    assert services.part(Audience)
    return services.part(Audience).counts.take()


def agents(visitor: Visitor) -> list[tuple[str, str, str]]:
    """Return name, class and form of the agents counted since the last time."""
    return [key[1:] for key in counted(visitor).agents]


def call(visitor: Visitor, name: str, arguments: dict[str, str], client: str) -> None:
    """Call a tool in the newest revision, as a client that tells its name."""
    meta = {**META, CLIENT_KEY: {"name": client, "version": "1"}}
    params = {"name": name, "arguments": arguments, "_meta": meta}
    assert modern(visitor, "tools/call", params).status == 200


def test_a_client_of_the_newest_revision_tells_its_name_with_each_request(
    visitor: Visitor,
) -> None:
    """The name does not stay for the requests after it."""
    counted(visitor)
    call(visitor, "list_pages", {}, "claude-ai")
    assert agents(visitor) == [("claude-ai", "mcp-client", "mcp")]
    modern(visitor, "tools/list", headers={"User-Agent": "openai-mcp/1.0.0"})
    assert agents(visitor) == [("openai-mcp", "ai-assistant", "mcp")]


def test_an_older_client_tells_its_name_only_at_the_beginning(visitor: Visitor) -> None:
    """Its other requests count by their header."""
    counted(visitor)
    client = {"clientInfo": {"name": "mcp-inspector"}, "capabilities": {}}
    headers = {"User-Agent": "node"}
    legacy(visitor, "initialize", {"protocolVersion": "2025-06-18", **client}, headers)
    assert agents(visitor) == [("mcp-inspector", "mcp-client", "mcp")]
    legacy(visitor, "tools/list", {}, headers)
    assert agents(visitor) == [("Node.js", "library", "mcp")]


@cases(
    ("name", "kept"),
    [
        ("noor@example.com", "(not kept)"),
        ("x" * 80, "x" * 64),
        ("a\u0000\u202eb", "a b"),
        ("", "unknown"),
    ],
)
def test_a_told_name_is_bounded_and_not_personal(visitor: Visitor, name: str, kept: str) -> None:
    """Whatever a client sends."""
    counted(visitor)
    call(visitor, "list_pages", {}, name)
    assert agents(visitor) == [(kept, "mcp-client", "mcp")]


@pytest.mark.parametrize("tool", ["search", "find_passages"])
def test_searches_of_tools_are_counted_with_their_hits(visitor: Visitor, tool: str) -> None:
    """Also from the response cache."""
    counted(visitor)
    for query in ("VAT", "VAT", " vat ", "zzqqzz"):
        call(visitor, tool, {"query": query}, "claude-ai")
    searches = counted(visitor).searches.items()
    found = {(key.channel, key.query, key.hits > 0): number for key, number in searches}
    assert found == {("mcp", "vat", True): 3, ("mcp", "zzqqzz", False): 1}


def test_pages_that_tools_and_resources_read_are_counted(visitor: Visitor) -> None:
    """By their path, also from the response cache; a page that is missing is none."""
    counted(visitor)
    for page in ("/ae/en/erp", "/ae/en/erp", "/ae/en/erp#modules", "/ae/en/nope"):
        call(visitor, "fetch", {"id": page}, "claude-ai")
    uri = "https://www.wahat.example/ae/en/erp.md"
    for _ in range(2):
        assert modern(visitor, "resources/read", {"uri": uri}).status == 200
    pages: Counter[str] = Counter()
    for key, number in counted(visitor).pages.items():
        pages[key.page] += number
    assert pages == {"/ae/en/erp": 5, "/mcp": 1}


def test_without_the_switch_nothing_is_told() -> None:
    """The endpoint answers as before."""
    with Visitor(mcp=True) as visitor:
        call(visitor, "search", {"query": "vat"}, "claude-ai")
        assert visitor.quart.extensions["majlis"].find(Audience) is None
