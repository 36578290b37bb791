"""Logs: JSON lines with the id of their request, written in a thread.

A slow disk, or a program that stops reading, delays no request. Lines that wait for it are limited
in memory; those beyond the limit are dropped, and the log says how many.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
from collections.abc import Iterator
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from queue import SimpleQueue
from select import select
from threading import Thread
from typing import Protocol, Self

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


_PIPE_BYTES = 4_096
"""What a system writes to a pipe as a whole, so that lines of several processes never mix."""
_MODE = 0o640
"""The log may hold addresses: only its owner and group read it."""


class LogOutput(Protocol):
    """Where whole lines are written; may be called in any thread, by one at a time."""

    def write(self, lines: bytes) -> None:
        """Write lines, each with its line feed; raises OSError."""
        ...


class StandardOutput:
    """Standard output, in pieces of whole lines that a pipe takes at once."""

    def __init__(self, descriptor: int = 1) -> None:
        self._descriptor = descriptor

    def write(self, lines: bytes) -> None:
        """Write lines; waits while nobody reads them."""
        for piece in pieces(lines, _PIPE_BYTES):
            _write_all(self._descriptor, piece)


class LogFile:
    """A file opened for appending, and opened anew once another one has its name.

    Processes append to it at the same time: each write is whole, also after a rotation.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def check(self, *, creates: bool = True) -> None:
        """Raise OSError if the file cannot be opened; without `creates`, a missing one stays so."""
        if creates or self._path.exists():
            os.close(self._open())
        elif not os.access(self._path.parent, os.W_OK | os.X_OK):
            reason = errno.EACCES if self._path.parent.exists() else errno.ENOENT
            raise OSError(reason, os.strerror(reason))

    def write(self, lines: bytes) -> None:
        """Append lines to the file that has the name now."""
        _write_all(self._current(), lines)

    def _current(self) -> int:
        """Return the open file, after a rotation a new one."""
        opened = self._descriptor
        if opened is not None and self._is_current(opened):
            return opened
        self._descriptor = current = self._open()
        if opened is not None:
            os.close(opened)
        return current

    def _open(self) -> int:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
        return os.open(self._path, flags, _MODE)

    def _is_current(self, descriptor: int) -> bool:
        try:
            return os.path.samestat(os.fstat(descriptor), self._path.stat())
        except FileNotFoundError:
            return False


def pieces(lines: bytes, size: int) -> Iterator[bytes]:
    r"""Split text after line feeds, into parts of at most `size` bytes; a longer line is one part.

    >>> list(pieces(b"a\nbb\nccccc\nd\n", 5))
    [b'a\nbb\n', b'ccccc\n', b'd\n']
    """
    start = 0
    while len(lines) - start > size:
        end = lines.rfind(b"\n", start, start + size) + 1 or lines.find(b"\n", start) + 1
        if not end:
            break
        yield lines[start:end]
        start = end
    if start < len(lines):
        yield lines[start:]


def _write_all(descriptor: int, data: bytes) -> None:
    while data:
        try:
            data = data[os.write(descriptor, data) :]
        except BlockingIOError:
            select([], [descriptor], [])


log = logging.getLogger(__name__)

BATCH_SECONDS = 0.2
"""How long lines are collected; a process that is killed loses no more than those."""
MAX_WAITING_BYTES = 16 * 1024 * 1024
_CLOSE_SECONDS = 5.0
"""Maximum time that a stop waits for an output that does not take the lines."""


class LineWriter:
    """Writes lines to an output between the start and the end of an `async with` block."""

    def __init__(self, output: LogOutput, max_waiting_bytes: int = MAX_WAITING_BYTES) -> None:
        self._output = output
        self._max_waiting_bytes = max_waiting_bytes
        self._lines: list[str] = []
        self._batches: SimpleQueue[bytes | None] = SimpleQueue()
        self._waiting_bytes = 0
        self._dropped = 0
        self._has_failed = False
        self._thread: Thread | None = None

    async def __aenter__(self) -> Self:
        self._thread = Thread(target=self._run, name="majlis-lines", daemon=True)
        self._thread.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._pass_on()
        self._batches.put(None)
        thread, self._thread = self._thread, None
        if thread is not None:
            await asyncio.to_thread(thread.join, _CLOSE_SECONDS)
            if thread.is_alive():
                log.error("The output of the access log takes no lines; the last ones are lost.")

    def write(self, line: str) -> None:
        """Write a line, which has its line feed; called in the event loop."""
        if self._thread is None:  # a response that was cut off at the end of a stop
            self._write(line.encode())
            return
        if not self._lines:
            asyncio.get_running_loop().call_later(BATCH_SECONDS, self._pass_on)
        self._lines.append(line)

    def _pass_on(self) -> None:
        """Pass the collected lines to the thread, unless too many wait for it already."""
        lines, self._lines = self._lines, []
        if not lines:
            return
        if self._waiting_bytes > self._max_waiting_bytes:
            self._dropped += len(lines)
            return
        if self._dropped:
            log.error("The access log lost %d lines: its output was too slow.", self._dropped)
            self._dropped = 0
        batch = "".join(lines).encode()
        self._waiting_bytes += len(batch)
        self._batches.put(batch)

    def _run(self) -> None:
        while (batch := self._batches.get()) is not None:
            self._write(batch)
            self._waiting_bytes -= len(batch)

    def _write(self, lines: bytes) -> None:
        """Write lines, and log the first of several errors."""
        try:
            self._output.write(lines)
        except OSError as error:
            if not self._has_failed:
                log.error("The access log cannot be written: %s.", error.strerror or error)
            self._has_failed = True
        else:
            self._has_failed = False
