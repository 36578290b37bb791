"""Logs: one JSON object per line on stderr, with the id of the request it belongs to."""

from __future__ import annotations

import logging
from contextvars import ContextVar
from datetime import UTC, datetime

from app.platform.observability.tracing import trace_id
from app.platform.printable import printable_json

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The id of the current request, which is in its response and in every log line about it."""

_OURS = ("app", "indexes", "knowledge", "llms", "renderers")
_LOGGERS_AT_LEVEL = dict.fromkeys(_OURS, logging.DEBUG) | {
    "hypercorn": logging.INFO,
    "opentelemetry.trace.span": logging.ERROR,  # any client can send a malformed `tracestate`
}
"""The loggers that follow LOG_LEVEL, and the least level of each. All other libraries log warnings
only, and none of them DEBUG, at which a driver logs each statement's parameters."""


class JsonLines(logging.Formatter):
    """Formats a record as one line of JSON, tracebacks included."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line without its line feed."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "process": record.process,
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "request": request_id.get(),
            "trace": trace_id(),
            "error": self.formatException(record.exc_info) if record.exc_info else None,
        }
        present = {name: value for name, value in line.items() if value is not None}
        return printable_json(present)


def log_to_stderr(level: str) -> None:
    """Log records of at least this level to stderr; called once in each process."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    threshold = logging.getLevelNamesMapping()[level]
    logging.basicConfig(level=max(threshold, logging.WARNING), handlers=[handler])
    for name, least in _LOGGERS_AT_LEVEL.items():
        logging.getLogger(name).setLevel(max(threshold, least))
