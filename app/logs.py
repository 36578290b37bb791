"""Logs: one JSON object a line, with the id of the request it is about."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime

from app.request_id import request_id


class JsonLines(logging.Formatter):
    """A record as one line of JSON; texts of errors stay within it."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "request": request_id.get(),
            "error": self.formatException(record.exc_info) if record.exc_info else None,
        }
        said = {name: value for name, value in line.items() if value is not None}
        return json.dumps(said, ensure_ascii=False)


def install(level: str) -> None:
    """Write the process's log to standard error, from this level up."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for noisy in ("sqlalchemy", "alembic", "watchfiles", "httpx", "httpcore"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
