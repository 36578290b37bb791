"""The tools of the MCP server: they find and read what the site publishes, and change nothing."""

from app.features.mcp.tool import Tool
from app.features.mcp.tools.fetch import FETCH
from app.features.mcp.tools.list_pages import LIST_PAGES
from app.features.mcp.tools.passages import FIND_PASSAGES, SEARCH

TOOLS: tuple[Tool, ...] = (SEARCH, FETCH, FIND_PASSAGES, LIST_PAGES)
"""All tools, in the order in which clients list them."""
