"""Logs: one JSON object a line, to stderr."""

from __future__ import annotations

import logging

from app.logs import JsonLines


def log_to_stderr(level: str) -> None:
    """Log what is at least this severe; called once in each process."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=level, handlers=[handler])
