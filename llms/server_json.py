"""The server.json of MCP: what a registry of servers wants to know, schema 2025-12-11."""

from __future__ import annotations

import re
from typing import Any

from knowledge.views.content_view import ContentView
from llms.mcp_server import McpServer
from llms.server_card import common_facts

SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"

_NAME = re.compile(r"[A-Za-z0-9.-]+/[A-Za-z0-9._-]+")
_NAME_CHARACTERS = 200


def is_server_name(text: str) -> bool:
    """Return whether registries accept a name: a domain in reverse, a slash, and a name.

    >>> [is_server_name(text) for text in ("com.example/site", "site", "com.example/a/b")]
    [True, False, False]
    """
    return len(text) <= _NAME_CHARACTERS and _NAME.fullmatch(text) is not None


def server_json(view: ContentView, mcp: McpServer) -> dict[str, Any]:
    """Return the document; its remote is the endpoint of this service."""
    remote = {"type": "streamable-http", "url": view.absolute(mcp.path)}
    return {"$schema": SCHEMA, **common_facts(view, mcp), "remotes": [remote]}
