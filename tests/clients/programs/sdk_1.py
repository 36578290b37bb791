"""Client of MCP: the Python SDK, version 1."""

from __future__ import annotations

import asyncio
import json
import sys
from importlib.metadata import version
from typing import Any

from mcp import ClientSession, McpError
from mcp.client.streamable_http import streamable_http_client


async def visit(plan: dict[str, Any]) -> dict[str, Any]:
    """Do all that the plan says, and return what the client got."""
    async with (
        streamable_http_client(plan["url"]) as (read, write, _),
        ClientSession(read, write) as session,
    ):
        started = await session.initialize()

        async def code(request: Any) -> int | None:
            try:
                await request
            except McpError as error:
                return int(error.error.code)
            return None

        return {
            "client": f"mcp {version('mcp')}",
            "revision": started.protocolVersion,
            "server": started.serverInfo.name,
            "tools": [tool.name for tool in (await session.list_tools()).tools],
            "results": [await result(session, call) for call in plan["calls"]],
            "resources": [str(each.uri) for each in (await session.list_resources()).resources],
            "templates": [
                each.uriTemplate
                for each in (await session.list_resource_templates()).resourceTemplates
            ],
            "texts": [
                (await session.read_resource(uri)).contents[0].text for uri in plan["resources"]
            ],
            "codes": [
                await code(session.call_tool("unknown", {})),
                await code(session.read_resource(plan["unknown"])),
            ],
        }


async def result(session: Any, call: dict[str, Any]) -> dict[str, Any]:
    """Call a tool, and return its result."""
    done = await session.call_tool(call["tool"], call["arguments"])
    return {
        "structured": done.structuredContent,
        "texts": [item.text for item in done.content],
        "is_error": done.isError,
    }


json.dump([asyncio.run(visit(json.loads(sys.argv[1])))], sys.stdout)
