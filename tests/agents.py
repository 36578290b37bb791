"""Agents: requests to MCP as clients send them, in the newest revision and in older ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from contract.visitor import Reply, Visitor

from app.features.mcp.messages import CAPABILITIES_KEY, NAMED_BY, VERSION_KEY

NEWEST = "2026-07-28"
OLDER = ("2025-11-25", "2025-06-18", "2025-03-26")
HOST = {"Host": "www.wahat.example"}
CAPABILITIES: Mapping[str, Any] = {
    "tools": {},
    "resources": {},
    "prompts": {},
    "extensions": {"io.modelcontextprotocol/skills": {}},
}
"""What the server says of itself in both eras."""
META = {VERSION_KEY: NEWEST, CAPABILITIES_KEY: {}}

Headers = Mapping[str, str | None]


def modern(
    visitor: Visitor,
    method: str,
    params: Mapping[str, Any] | None = None,
    headers: Headers | None = None,
    target: str = "/mcp",
    peer: str | None = None,
) -> Reply:
    """Send a request of the newest revision; a header of None is left out."""
    whole = {"_meta": META, **(params or {})}
    named = {"Mcp-Name": whole.get(NAMED_BY.get(method, ""))}
    standard = {"MCP-Protocol-Version": NEWEST, "Mcp-Method": method, **named}
    return _post(visitor, method, whole, {**standard, **(headers or {})}, target, peer)


def legacy(
    visitor: Visitor,
    method: str,
    params: Mapping[str, Any] | None = None,
    headers: Headers | None = None,
    target: str = "/mcp",
    peer: str | None = None,
) -> Reply:
    """Send a request of a revision with `initialize`, by default of the one without header."""
    return _post(visitor, method, params or {}, headers or {}, target, peer)


def posted(visitor: Visitor, body: bytes, headers: Mapping[str, str] | None = None) -> Reply:
    """Send any body to MCP."""
    typed = {"Content-Type": "application/json", **HOST, **(headers or {})}
    return visitor.ask("POST", "/mcp", typed, body=body)


def code(reply: Reply) -> tuple[int, int]:
    """Return the status and the error code of an answer."""
    return reply.status, reply.json["error"]["code"]


def _post(
    visitor: Visitor,
    method: str,
    params: Mapping[str, Any],
    headers: Headers,
    target: str,
    peer: str | None,
) -> Reply:
    sent = {name: value for name, value in {**HOST, **headers}.items() if value is not None}
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return visitor.post(target, message, sent, peer)
