"""Logs: JSON lines with the id of their request, on a terminal plain ones, written in a thread.

A slow disk, or a program that stops reading, delays no request. Lines that wait for it are limited
in memory; those beyond the limit are dropped, and a metric and the log say how many.
"""

import atexit
import errno
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from io import RawIOBase, TextIOWrapper
from pathlib import Path
from queue import SimpleQueue
from select import select
from threading import RLock, Thread
from time import sleep
from typing import Any, Protocol

from app.platform.observability.metrics import LOG_LINES_DROPPED, Sample
from app.platform.observability.tracing import trace_id
from app.platform.printable import printable, printable_json

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The id of the current request, which is in its response and in every log line about it."""


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


class PlainLines(logging.Formatter):
    """Formats a record for who looks at a terminal: its message, and its level if that matters."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the message, and the lines of a traceback."""
        level = f"{record.levelname}: " if record.levelno > logging.INFO else ""
        return "\n".join(map(printable, f"{level}{super().format(record)}".splitlines()))


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

MAX_WAITING_BYTES = 16 * 1024 * 1024
_CLOSE_SECONDS = 2.0
"""Maximum time that a stop waits for an output that does not take the lines."""


class LineWriter:
    """Writes lines to an output in a thread, which the first line starts.

    It collects lines for `batch_seconds`; a process that is killed loses no more than those.
    """

    def __init__(
        self,
        name: str,
        output: LogOutput,
        batch_seconds: float = 0.0,
        max_waiting_bytes: int = MAX_WAITING_BYTES,
    ) -> None:
        self._name = name
        self._output = output
        self._batch_seconds = batch_seconds
        self._max_waiting_bytes = max_waiting_bytes
        self._dropped = self._untold = 0
        self._has_failed = False
        self._open()

    def _open(self, *, is_closed: bool = False) -> None:
        self._turn = RLock()
        self._lines: SimpleQueue[bytes | None] = SimpleQueue()
        self._taken_bytes = self._written_bytes = 0
        self._thread: Thread | None = None
        self._is_closed = is_closed

    def write(self, lines: bytes) -> None:
        """Take lines, each with its line feed, in any thread; waits for nobody until it is closed.

        After that lines are written at once, unless the output still takes none.
        """
        with self._turn:
            if self.waiting_bytes > (0 if self._is_closed else self._max_waiting_bytes):
                self._dropped += lines.count(b"\n")
                self._untold += lines.count(b"\n")
                return
            untold, self._untold = self._untold, 0
            if not self._is_closed:
                self._taken_bytes += len(lines)
                self._lines.put(lines)
                if self._thread is None:
                    self._thread = Thread(target=self._run, name="majlis-lines", daemon=True)
                    self._thread.start()
        if self._is_closed:
            self._write(lines)
        if untold:
            log.error("The %s log lost %d lines: its output was too slow.", self._name, untold)

    @property
    def waiting_bytes(self) -> int:
        """How many bytes are not written yet."""
        return self._taken_bytes - self._written_bytes

    def close(self) -> None:
        """Wait until all lines are written, but not long, and end the thread."""
        self._is_closed = True
        if self._thread is not None:
            self._lines.put(None)
            self._thread.join(_CLOSE_SECONDS)
            if self.waiting_bytes:
                log.error("The output of the %s log takes no lines; the last are lost.", self._name)

    @contextmanager
    def without_thread(self) -> Iterator[None]:
        """Write all lines first, and start no thread in the block, which may fork."""
        self.close()
        yield
        self._open()

    def after_fork(self) -> None:
        """Write at once from now on: this process has no thread, and its parent has the lines."""
        self._open(is_closed=True)

    def metrics_samples(self) -> Iterator[Sample]:
        """Yield how many lines were dropped or could not be written."""
        yield LOG_LINES_DROPPED, (self._name,), self._dropped

    def _run(self) -> None:
        batch: list[bytes | None] = []
        while None not in batch:
            batch = [self._lines.get()]
            sleep(self._batch_seconds)
            while not self._lines.empty():
                batch.append(self._lines.get())
            lines = b"".join(filter(None, batch))
            self._write(lines)
            self._written_bytes += len(lines)

    def _write(self, lines: bytes) -> None:
        """Write lines, and log the first of several errors."""
        try:
            self._output.write(lines)
        except OSError as error:
            self._dropped += lines.count(b"\n")
            if not self._has_failed:
                self._has_failed = True
                log.error("The %s log cannot be written: %s.", self._name, error.strerror or error)
        else:
            self._has_failed = False


STDERR = LineWriter("service", StandardOutput(2))
"""What everything that Python code writes to stderr goes through, once `log_to_stderr` ran."""


_OURS = ("app", "indexes", "knowledge", "llms", "renderers")
_LOGGERS_AT_LEVEL = dict.fromkeys(_OURS, logging.DEBUG) | {
    "hypercorn": logging.INFO,
    "opentelemetry.trace.span": logging.ERROR,  # any client can send a malformed `tracestate`
}
"""The loggers that follow LOG_LEVEL, and the least level of each. All other libraries log warnings
only, and none of them DEBUG, at which a driver logs each statement's parameters."""


def log_to_stderr(level: str) -> None:
    """Log records of at least this level to stderr; called once in each process.

    Also what the interpreter says of an error goes through its thread, as all of it may wait for a
    reader. The last lines are written when the process ends. A terminal gets plain ones.
    """
    if sys.stderr and not logging.root.handlers:
        atexit.register(STDERR.close)
        os.register_at_fork(after_in_child=STDERR.after_fork)
        raw = _Stream()
        sys.stderr = TextIOWrapper(raw, "utf-8", "backslashreplace", line_buffering=True)
    handler = logging.StreamHandler()
    handler.setFormatter(PlainLines() if os.isatty(2) else JsonLines())
    threshold = logging.getLevelNamesMapping()[level]
    logging.basicConfig(level=max(threshold, logging.WARNING), handlers=[handler])
    for name, least in _LOGGERS_AT_LEVEL.items():
        logging.getLogger(name).setLevel(max(threshold, least))


class _Stream(RawIOBase):
    """Standard error, as a file that takes whole lines."""

    def writable(self) -> bool:
        return True

    def write(self, lines: Any) -> int:
        STDERR.write(bytes(lines))
        return len(lines)
