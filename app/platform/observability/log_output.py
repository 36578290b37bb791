"""Log outputs: standard output, or a file that may be rotated; several processes write to each."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from select import select
from typing import Protocol

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

    After a rotation by renaming, the next lines create the file again. After one that truncates,
    they begin at its start. Processes append to it at the same time: each write is whole.
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
