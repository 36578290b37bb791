"""Requests of older revisions: they begin with `initialize`, and there is no session."""

from __future__ import annotations

import json
from typing import Any

from agents import CAPABILITIES, META, NEWEST, OLDER, code, legacy, posted
from cases import cases
from contract.visitor import Visitor

from app.features.mcp.messages import VERSION_KEY


def initialize(site: Visitor, version: str) -> dict[str, Any]:
    """Return the result of `initialize`."""
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {}}
    reply = legacy(site, "initialize", params)
    assert "Mcp-Session-Id" not in reply.headers
    result: dict[str, Any] = reply.json["result"]
    return result


@cases("version", OLDER)
def test_a_client_goes_on_in_the_revision_that_it_asks_for(site: Visitor, version: str) -> None:
    """The answer introduces the server."""
    result = initialize(site, version)
    assert result["protocolVersion"] == version
    assert result["capabilities"] == CAPABILITIES
    assert (result["serverInfo"]["name"], result["serverInfo"]["title"]) == ("majlis", "Wahat")
    assert result["instructions"]


@cases("version", ["2024-11-05", "1.0", NEWEST])
def test_another_revision_is_answered_with_the_newest_of_them(site: Visitor, version: str) -> None:
    """The client decides whether it goes on."""
    assert initialize(site, version)["protocolVersion"] == OLDER[0]


@cases("version", [*OLDER, None])
def test_requests_need_no_session(site: Visitor, version: str | None) -> None:
    """The oldest revision has no header. What only the newest one has is left out."""
    headers = {"MCP-Protocol-Version": version, "Mcp-Session-Id": "any"}
    assert legacy(site, "ping", headers=headers).json["result"] == {}
    result = legacy(site, "tools/list", headers=headers).json["result"]
    assert set(result) == {"tools"}


def test_an_unknown_revision_in_the_header_is_refused(site: Visitor) -> None:
    """With the supported ones, as in the newest revision."""
    reply = legacy(site, "ping", headers={"MCP-Protocol-Version": "2024-11-05"})
    assert code(reply) == (400, -32022)
    assert reply.json["error"]["data"]["supported"] == [NEWEST, *OLDER]


def test_an_old_revision_in_the_metadata_is_an_old_request(site: Visitor) -> None:
    """Its headers need not repeat the body."""
    meta = {**META, VERSION_KEY: OLDER[0]}
    assert legacy(site, "ping", {"_meta": meta}).json["result"] == {}


def test_errors_of_requests_have_status_200(site: Visitor) -> None:
    """Clients of these revisions read other statuses as failures of the connection."""
    assert code(legacy(site, "no/such")) == (200, -32601)
    assert code(legacy(site, "tools/call", {"name": "no_such_tool"})) == (200, -32602)
    assert code(legacy(site, "tools/call", {})) == (200, -32602)
    assert code(legacy(site, "resources/read", {"uri": "https://x.example/"})) == (200, -32002)


@cases("method", ["notifications/initialized", "notifications/cancelled", "x"])
def test_a_notification_is_accepted_without_an_answer(site: Visitor, method: str) -> None:
    """It changes nothing."""
    reply = posted(site, json.dumps({"jsonrpc": "2.0", "method": method}).encode())
    assert (reply.status, reply.body) == (202, b"")
    assert "Content-Type" not in reply.headers


def test_a_notification_of_an_unknown_revision_is_refused(site: Visitor) -> None:
    """As are its requests."""
    body = b'{"jsonrpc":"2.0","method":"notifications/initialized"}'
    reply = posted(site, body, {"MCP-Protocol-Version": "1999-01-01"})
    assert code(reply) == (400, -32022)
    assert "id" not in reply.json
