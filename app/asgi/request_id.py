"""The id of the current request, which is in its response and in every log line about it."""

from __future__ import annotations

from contextvars import ContextVar

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The id of the current request."""
