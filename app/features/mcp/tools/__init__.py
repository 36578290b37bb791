"""The tools of the MCP server, which only read, and the facts that guides and cards tell of it."""

from app.features.mcp.server import ENDPOINT, SERVER_VERSION, SUPPORTED_VERSIONS, registry_name
from app.features.mcp.settings import McpSettings
from app.features.mcp.tool import Tool
from app.features.mcp.tools.fetch import FETCH
from app.features.mcp.tools.list_entries import LIST_ENTRIES
from app.features.mcp.tools.list_pages import LIST_PAGES
from app.features.mcp.tools.passages import FIND_PASSAGES, SEARCH
from llms.mcp_server import McpServer

TOOLS: tuple[Tool, ...] = (SEARCH, FETCH, FIND_PASSAGES, LIST_PAGES, LIST_ENTRIES)
"""All tools, in the order in which clients list them."""


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
        tools_of=lambda snapshot: [tool.name for tool in TOOLS if tool.is_there(snapshot)],
    )


def facts(settings: McpSettings) -> tuple[McpServer]:
    """Return the facts of the server of a service."""
    return (server_at(settings.public_url),)
