"""Logs: one JSON object a line, with the id of the request it is about, to stderr."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime

from app.asgi.request_id import request_id

_FOLLOWING_THE_LEVEL = ("app", "indexes", "knowledge", "llms", "renderers", "hypercorn")
"""All other libraries log warnings only: at DEBUG a driver logs each statement's parameters."""


class JsonLines(logging.Formatter):
    """A record as one line of JSON; texts of errors stay within it."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "process": record.process,
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "request": request_id.get(),
            "error": self.formatException(record.exc_info) if record.exc_info else None,
        }
        said = {name: value for name, value in line.items() if value is not None}
        return json.dumps(said, ensure_ascii=False)


def log_to_stderr(level: str) -> None:
    """Log what is at least this severe; called once in each process."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    least = logging.getLevelNamesMapping()[level]
    logging.basicConfig(level=max(least, logging.WARNING), handlers=[handler])
    for name in _FOLLOWING_THE_LEVEL:
        logging.getLogger(name).setLevel(least)
