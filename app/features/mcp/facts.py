"""The facts of the MCP server, for the guides, catalogs and cards that tell of it."""

from __future__ import annotations

from app.features.mcp.server import ENDPOINT, SERVER_VERSION, SUPPORTED_VERSIONS, registry_name
from app.features.mcp.settings import McpSettings
from app.features.mcp.tools import TOOLS
from llms.mcp_server import McpServer


def running_server(settings: McpSettings) -> McpServer | None:
    """Return the facts of the server; None if it is off."""
    return server_at(settings.public_url) if settings.mcp else None


def server_at(public_url: str) -> McpServer:
    """Return the facts of the server of a site."""
    return McpServer(
        path=ENDPOINT,
        name=registry_name(public_url),
        version=SERVER_VERSION,
        versions=SUPPORTED_VERSIONS,
        tools=tuple(tool.name for tool in TOOLS),
    )


def facts(settings: McpSettings) -> tuple[McpServer]:
    """Return the facts of the server of a service."""
    return (server_at(settings.public_url),)
