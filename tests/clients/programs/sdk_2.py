"""Clients of MCP: the Python SDK, version 2, and FastMCP, both in the two eras."""

from __future__ import annotations

import asyncio
import json
import sys
from importlib.metadata import version
from typing import Any

import fastmcp
from mcp import Client, MCPError


async def visit(client: Any, plan: dict[str, Any], name: str) -> dict[str, Any]:
    """Do all that the plan says, and return what the client got."""
    async with client:
        tools = await ask(client, "list_tools")
        resources = await ask(client, "list_resources")
        templates = await ask(client, "list_resource_templates")
        contents = [await ask(client, "read_resource", uri) for uri in plan["resources"]]
        session = getattr(client, "session", client)
        return {
            "client": name,
            "revision": session.protocol_version,
            "server": session.server_info.name,
            "tools": [tool.name for tool in tools.tools],
            "results": [await result(client, call) for call in plan["calls"]],
            "resources": [str(each.uri) for each in resources.resources],
            "templates": [each.uri_template for each in templates.resource_templates],
            "texts": [each.contents[0].text for each in contents],
            "codes": [
                await code(ask(client, "call_tool", "unknown", {})),
                await code(ask(client, "read_resource", plan["unknown"])),
            ],
        }


async def ask(client: Any, method: str, *arguments: Any) -> Any:
    """Return what the server answered; FastMCP's own methods return a part of it."""
    return await getattr(client, f"{method}_mcp", getattr(client, method))(*arguments)


async def result(client: Any, call: dict[str, Any]) -> dict[str, Any]:
    """Call a tool, and return its result."""
    done = await ask(client, "call_tool", call["tool"], call["arguments"])
    return {
        "structured": done.structured_content,
        "texts": [item.text for item in done.content],
        "is_error": done.is_error,
    }


async def code(request: Any) -> int | None:
    """Return the code of the error that the server answers."""
    try:
        await request
    except MCPError as error:
        return int(error.error.code)
    return None


async def main() -> None:
    """Visit with each client in each era, and print the list of what they got."""
    plan = json.loads(sys.argv[1])
    clients = {f"mcp {version('mcp')}": Client, f"fastmcp {fastmcp.__version__}": fastmcp.Client}
    visits = [
        await visit(client(plan["url"], mode=mode), plan, f"{name}, {mode}")
        for name, client in clients.items()
        for mode in ("auto", "legacy")
    ]
    json.dump(visits, sys.stdout)


asyncio.run(main())
