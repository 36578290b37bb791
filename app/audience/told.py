"""What a message to `/mcp` tells of its reader: the address of all messages is the same."""

from __future__ import annotations

from contextvars import ContextVar

told_client: ContextVar[str | None] = ContextVar("told_client", default=None)
"""The name that the program of the current request tells."""

told_page: ContextVar[str | None] = ContextVar("told_page", default=None)
"""The path of the page that the current request reads."""


def begin() -> None:
    """Forget what the message before told, as one task may handle several."""
    told_client.set(None)
    told_page.set(None)
