"""Who reads what by a message to `/mcp`; the path of all messages is the same."""

from __future__ import annotations

from contextvars import ContextVar

reader_name: ContextVar[str | None] = ContextVar("reader_name", default=None)
"""The name that the client of the current request gives."""

page_read: ContextVar[str | None] = ContextVar("page_read", default=None)
"""The path of the page that the current request reads."""


def begin() -> None:
    """Forget those of the message before, as one task may handle several."""
    reader_name.set(None)
    page_read.set(None)
