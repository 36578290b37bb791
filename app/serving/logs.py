"""Logs: one line an event, to stderr."""

from __future__ import annotations

import logging


def log_to_stderr(level: str) -> None:
    """Log what is at least this severe; called once in each process."""
    logging.basicConfig(
        level=level, format="%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"
    )
