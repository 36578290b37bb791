"""The levels of the log: what other libraries log at DEBUG never gets into it."""

from __future__ import annotations

import importlib
import json
import logging
import os
import pty
import subprocess
import sys
from collections.abc import Iterator

import pytest

from app.platform.observability.logs import _LOGGERS_AT_LEVEL, _OURS, log_to_stderr

LIBRARIES = (
    *("aiosmtplib", "aiosqlite", "alembic", "asyncio", "asyncpg", "httpcore", "httpx", "hypercorn"),
    *("opentelemetry.sdk.trace", "opentelemetry.exporter.otlp.proto.http", "quart", "redis"),
    *("sqlalchemy.ext.asyncio", "urllib3", "watchfiles", "werkzeug"),
)
"""What the service imports and might log personal data, each with the loggers it creates."""


@pytest.fixture
def untouched_root(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A root logger without handlers, as in a new process; all levels are restored."""
    monkeypatch.setattr(sys, "stderr", sys.stderr)
    root = logging.root
    handlers, levels = root.handlers[:], {name: _level(name) for name in ("", *_LOGGERS_AT_LEVEL)}
    root.handlers.clear()
    yield
    root.handlers[:] = handlers
    for name, level in levels.items():
        logging.getLogger(name or None).setLevel(level)


def _level(name: str) -> int:
    return logging.getLogger(name or None).level


def test_at_debug_other_libraries_log_no_debug_line(untouched_root: None) -> None:
    """Warnings and errors only; of the server what it reports at INFO, too."""
    for library in LIBRARIES:
        importlib.import_module(library)
    log_to_stderr("DEBUG")
    packages = {library.partition(".")[0] for library in LIBRARIES}
    created = [
        name for name in logging.root.manager.loggerDict if name.partition(".")[0] in packages
    ]
    for name in (*created, *LIBRARIES, "a_library_of_tomorrow"):
        is_server = name.partition(".")[0] == "hypercorn"
        least = logging.INFO if is_server else logging.WARNING
        assert logging.getLogger(name).getEffectiveLevel() >= least, name
    assert all(logging.getLogger(name).isEnabledFor(logging.DEBUG) for name in _OURS)


def test_a_terminal_gets_plain_lines_and_all_else_json() -> None:
    """Who looks at a terminal reads the messages; levels are there if they matter."""
    program = (
        "import logging; from app.platform.observability.logs import log_to_stderr;"
        "log_to_stderr('INFO'); log = logging.getLogger('app.x');"
        r"log.info('Loading'); log.error('A\x1bB')"
    )
    words = [sys.executable, "-P", "-c", program]
    ours, theirs = pty.openpty()
    try:
        subprocess.run(words, stderr=theirs, check=True)
        shown = os.read(ours, 4_096).decode().splitlines()
    finally:
        os.close(ours)
        os.close(theirs)
    assert shown == ["Loading", "ERROR: A�B"]
    piped = subprocess.run(words, stderr=subprocess.PIPE, text=True, check=True).stderr
    assert [json.loads(line)["message"] for line in piped.splitlines()] == ["Loading", "A\x1bB"]
