"""The parsed files on disk: written by one process, read by all, and safe to lose.

A file of its own for each content folder, checked part by part. What is damaged, cut off or of
another version of the code is not used. The file is replaced at once, so that no reader sees half
of it. Neither reading nor writing fails: without the file, content is parsed.
"""

from __future__ import annotations

import fcntl
import logging
import os
import struct
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from zlib import crc32

from knowledge.documents.parsed_files import ParsedFiles, parsing_version, parts, read_parts
from knowledge.documents.parsed_values import DAMAGED
from knowledge.snapshot.loading import LoadedContent

log = logging.getLogger(__name__)

_SUFFIX, _LOCK, _UNFINISHED = ".parsed", ".lock", "unfinished-"
_HEAD = struct.Struct(">II")
"""Before each part: its length and its checksum."""

_MAX_FOLDERS = 4
"""The content folders whose files are kept, those that were written last."""

MAX_BYTES = 2 * 1024**3
"""Larger content is parsed at each start, as reading so much would take too much memory."""


class ParsedFolder:
    """What is kept of one content folder, in a folder that several may share."""

    def __init__(self, folder: Path, content_dir: Path) -> None:
        self._folder = folder
        self._name = blake2b(os.fsencode(content_dir.absolute()), digest_size=8).hexdigest()

    @property
    def _file(self) -> Path:
        return self._folder / f"{self._name}{_SUFFIX}"

    def read(self, root: Path) -> ParsedFiles:
        """Return the files of a folder as they were parsed; none if that is not known for sure."""
        parts = _parts(self._file)
        try:
            if next(parts, b"") == _version():
                return read_parts(root, parts)
        except (OSError, *DAMAGED):
            pass
        return ParsedFiles(root)

    def write(self, loaded: LoadedContent, read_at_ns: int, breathe: Callable[[], None]) -> None:
        """Replace what is kept; do nothing if another process does, or if it cannot be written.

        The content was read at `read_at_ns` or later. `breathe` is called between two parts.
        """
        written = parts(loaded.read.known, loaded.scanned.links, read_at_ns)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with (self._folder / _LOCK).open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                self._delete_unfinished()
                self._replace(written, breathe)
                self._delete_oldest()
        except BlockingIOError:
            return
        except OSError as error:
            log.warning("Parsed files are not kept for the next start: %s", error.strerror)

    def _replace(self, written: Iterable[bytes], breathe: Callable[[], None]) -> None:
        descriptor, name = tempfile.mkstemp(prefix=_UNFINISHED, dir=self._folder)
        unfinished = Path(name)
        try:
            with os.fdopen(descriptor, "wb") as opened:
                opened.writelines(_framed(chain((_version(),), _each(written, breathe), (b"",))))
            if unfinished.stat().st_size <= MAX_BYTES:
                unfinished.replace(self._file)
        finally:
            unfinished.unlink(missing_ok=True)

    def _delete_unfinished(self) -> None:
        """Delete what killed processes left; the lock is held, so nobody writes."""
        for left in self._folder.glob(f"{_UNFINISHED}*"):
            left.unlink(missing_ok=True)

    def _delete_oldest(self) -> None:
        files = sorted(self._folder.glob(f"*{_SUFFIX}"), key=_written_ns, reverse=True)
        for file in files[_MAX_FOLDERS:]:
            file.unlink(missing_ok=True)


def _each(written: Iterable[bytes], breathe: Callable[[], None]) -> Iterator[bytes]:
    for part in written:
        breathe()
        yield part


def _framed(written: Iterable[bytes]) -> Iterator[bytes]:
    for part in written:
        yield _HEAD.pack(len(part), crc32(part)) + part


def _written_ns(file: Path) -> int:
    with suppress(OSError):
        return file.stat().st_mtime_ns
    return 0


def _version() -> bytes:
    return parsing_version().encode()


def _parts(file: Path) -> Iterator[memoryview]:
    """Yield the parts, each of which is overwritten by the next; raises an error if one is damaged.

    All at once, those of 50,000 documents would take 85 MB.
    """
    with file.open("rb") as opened:
        size = os.fstat(opened.fileno()).st_size
        memory = memoryview(b"")
        while len(head := opened.read(_HEAD.size)) == _HEAD.size:
            length, checksum = _HEAD.unpack(head)
            if length > size or size > MAX_BYTES:
                break
            if length > len(memory):
                memory = memoryview(bytearray(length))
            part = memory[:length]
            if opened.readinto(part) != length or crc32(part) != checksum:
                break
            if not length:
                return
            yield part
    raise ValueError("The file is damaged, cut off or too large.")
