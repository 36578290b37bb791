"""Reading: in which form and through which channel a request reads, for those who count readers."""

from __future__ import annotations

from contextvars import ContextVar
from enum import StrEnum

reader_name: ContextVar[str | None] = ContextVar("reader_name", default=None)
"""The name that the client of the current request gives, if it sends a message of a protocol."""

page_read: ContextVar[str | None] = ContextVar("page_read", default=None)
"""The path of the page that such a message reads; the path of all messages is the same."""


class Form(StrEnum):
    """The form of a response."""

    HTML = "html"
    MARKDOWN = "markdown"
    JSON = "json"
    MCP = "mcp"
    LLMS = "llms.txt"
    FEED = "feed"
    OTHER = "other"
    """Images, styles, sitemaps, downloads."""


class Channel(StrEnum):
    """Where a search was made."""

    SITE = "site"
    BLOG = "blog"
    API = "api"
    MCP = "mcp"
