"""Requests of the newest revision: each stands alone, and its headers repeat its body."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from agents import CAPABILITIES, META, NEWEST, OLDER, code, modern
from cases import cases
from contract.visitor import Visitor

from app.features.mcp.messages import CAPABILITIES_KEY, SERVER_KEY, VERSION_KEY
from app.features.mcp.server import SERVER_NAME, SERVER_VERSION

LISTS = {
    "tools/list": "tools",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
    "prompts/list": "prompts",
    "skills/list": "skills",
}


def test_discovery_tells_revisions_capabilities_and_instructions(site: Visitor) -> None:
    """All that a client needs before its first call."""
    result = modern(site, "server/discover").json["result"]
    assert result["supportedVersions"] == [NEWEST, *OLDER]
    assert result["capabilities"] == CAPABILITIES
    assert "Wahat" in result["instructions"][:512]
    assert "URL to cite" in result["instructions"][:512]


@cases("method", ["server/discover", *LISTS])
def test_what_clients_may_keep_says_so(site: Visitor, method: str) -> None:
    """For as long as the markdown of a page, and for all of their users."""
    reply = modern(site, method)
    result = reply.json["result"]
    assert (reply.status, reply.headers["Content-Type"]) == (200, "application/json")
    assert (result["ttlMs"], result["cacheScope"]) == (300_000, "public")
    assert result["resultType"] == "complete"
    assert result["_meta"][SERVER_KEY] == {"name": SERVER_NAME, "version": SERVER_VERSION}


@cases(("method", "field"), LISTS.items())
def test_lists_have_one_page(site: Visitor, method: str, field: str) -> None:
    """A cursor is refused, as none has been given out."""
    assert isinstance(modern(site, method).json["result"][field], list)
    assert code(modern(site, method, {"cursor": "2"})) == (200, -32602)
    assert modern(site, method, {"cursor": None}).status == 200


def test_an_answer_repeats_the_id(site: Visitor) -> None:
    """As in older revisions."""
    assert modern(site, "tools/list").json["id"] == 1


@cases(
    ("headers", "status_and_code"),
    [
        pytest.param({"MCP-Protocol-Version": None}, (400, -32020), id="no version"),
        pytest.param({"MCP-Protocol-Version": OLDER[0]}, (400, -32020), id="another version"),
        pytest.param({"Mcp-Method": None}, (400, -32020), id="no method"),
        pytest.param({"Mcp-Method": "tools/call"}, (400, -32020), id="another method"),
        pytest.param({"Mcp-Method": "TOOLS/LIST"}, (400, -32020), id="method in capitals"),
        pytest.param({"Mcp-Method": "tools/list, x"}, (400, -32020), id="two methods"),
    ],
)
def test_a_header_that_differs_from_the_body_is_refused(
    site: Visitor, headers: dict[str, str | None], status_and_code: tuple[int, int]
) -> None:
    """Otherwise a proxy that reads headers would decide on another request."""
    assert code(modern(site, "tools/list", headers=headers)) == status_and_code


@cases(
    ("header", "accepted"),
    [
        pytest.param("بحث", False, id="not in ASCII"),
        pytest.param("  nothing \t", True, id="blanks around it"),
        pytest.param(None, False, id="missing"),
        pytest.param("other", False, id="another name"),
        pytest.param("=?base64?bm90aGluZw==?=", True, id="in base64"),
        pytest.param("=?BASE64?bm90aGluZw==?=", False, id="a mark in capitals"),
        pytest.param("=?base64?bm90aGluZw?=", False, id="malformed base64"),
        pytest.param("=?base64?/w==?=", False, id="base64 of no text"),
    ],
)
def test_the_name_of_a_call_is_compared_as_text(
    site: Visitor, header: str | None, accepted: bool
) -> None:
    """Blanks around a header value do not belong to it, and base64 is decoded first."""
    reply = modern(site, "tools/call", {"name": "nothing"}, {"Mcp-Name": header})
    assert code(reply) == ((200, -32602) if accepted else (400, -32020))


def test_an_arabic_uri_is_sent_in_base64(site: Visitor) -> None:
    """So it is compared, and then looked up."""
    uri = "https://www.wahat.example/sa/ar/لا-شيء.md"
    header = f"=?base64?{base64.b64encode(uri.encode()).decode()}?="
    reply = modern(site, "resources/read", {"uri": uri}, {"Mcp-Name": header})
    assert code(reply) == (200, -32602)


@cases(
    "meta",
    [
        pytest.param(None, id="none"),
        pytest.param("text", id="a text"),
        pytest.param({CAPABILITIES_KEY: {}}, id="without version"),
        pytest.param({VERSION_KEY: 1, CAPABILITIES_KEY: {}}, id="a number as version"),
        pytest.param({VERSION_KEY: NEWEST}, id="without capabilities"),
        pytest.param({VERSION_KEY: NEWEST, CAPABILITIES_KEY: []}, id="malformed capabilities"),
    ],
)
@cases("method", ["tools/list", "server/discover"])
def test_a_request_without_its_metadata_is_refused(site: Visitor, method: str, meta: Any) -> None:
    """The message names what is missing."""
    reply = modern(site, method, {"_meta": meta})
    assert code(reply) == (400, -32602)
    assert "io.modelcontextprotocol/" in reply.json["error"]["message"]


def test_an_unknown_revision_is_told_the_supported_ones(site: Visitor) -> None:
    """So that the client can choose."""
    meta = {**META, VERSION_KEY: "2031-01-01"}
    reply = modern(site, "tools/list", {"_meta": meta}, {"MCP-Protocol-Version": "2031-01-01"})
    assert code(reply) == (400, -32022)
    data = {"supported": [NEWEST, *OLDER], "requested": "2031-01-01"}
    assert reply.json["error"]["data"] == data


@cases("method", ["initialize", "ping", "logging/setLevel", "prompts/get", "x"])
def test_an_unknown_method_is_not_found(site: Visitor, method: str) -> None:
    """Also those that only older revisions have."""
    assert code(modern(site, method, {"name": "x"})) == (404, -32601)


@cases(
    ("method", "params", "status"),
    [
        pytest.param("tools/call", {}, 400, id="a call without name"),
        pytest.param("tools/call", {"name": ["search"]}, 400, id="a list as name"),
        pytest.param("tools/call", {"name": "no_such_tool"}, 200, id="an unknown tool"),
        pytest.param("resources/read", {"uri": "https://x.example/"}, 200, id="unknown resource"),
    ],
)
def test_a_request_that_names_nothing_has_invalid_parameters(
    site: Visitor, method: str, params: dict[str, Any], status: int
) -> None:
    """An unknown tool or resource is an error of the protocol, not of a tool."""
    name = next(iter(params.values()), "")
    headers = {"Mcp-Name": name if isinstance(name, str) else "x"}
    assert code(modern(site, method, params, headers)) == (status, -32602)
