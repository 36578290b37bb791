"""Calls of the MCP tools in this process, without the wire."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from contract.visitor import BASE_URL, Visitor

from app.features.mcp.tool import ToolContext, ToolError, call_tool
from app.features.mcp.tools import TOOLS, server_at
from app.services import services_of
from app.web.site.developers import manual
from knowledge.addresses.addresses import split_locale

_BY_NAME = {tool.name: tool for tool in TOOLS}


def context_of(visitor: Visitor, locale: str = "/ae/en") -> ToolContext:
    """Return the context of a request at this moment, with the locale of its address."""
    parsed, _ = split_locale(locale)
    assert parsed is not None
    edition = services_of(visitor.quart).content_store.current
    own_manual = partial(manual, visitor.quart)
    return ToolContext(edition, parsed, visitor.clock(), BASE_URL, server_at(BASE_URL), own_manual)


def call(visitor: Visitor, name: str, locale: str = "/ae/en", **arguments: Any) -> Any:
    """Return the result of a tool as the client gets it; raises ToolError."""
    called = call_tool(_BY_NAME[name], arguments, context_of(visitor, locale))
    result = json.loads(called.open_json + b"}")
    (content,) = result["content"]
    if result["isError"]:
        raise ToolError(content["text"])
    assert json.loads(content["text"]) == result["structuredContent"]
    return result["structuredContent"]
