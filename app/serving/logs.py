"""Logs: one JSON object a line, to stderr."""

from __future__ import annotations

import logging

from app.logs import JsonLines

_CHATTY = ("sqlalchemy", "alembic", "watchfiles", "httpx", "httpcore")
"""Libraries whose everyday doings say nothing to an operator, and URLs that are nobody's."""


def log_to_stderr(level: str) -> None:
    """Log what is at least this severe; called once in each process."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=level, handlers=[handler])
    for name in _CHATTY:
        logging.getLogger(name).setLevel(logging.WARNING)
