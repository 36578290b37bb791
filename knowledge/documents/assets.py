"""Assets: the files beside documents that are served as they are, and their names with a hash."""

import os
import time
from collections import OrderedDict
from collections.abc import Container, Iterator
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import NamedTuple, Self

from knowledge.diagnostics.diagnostic import ContentFileError, DiagnosticKind
from knowledge.diagnostics.messages import Text
from knowledge.documents.opening import open_beneath, unreadable


class AssetChanged(Exception):
    """The file changed during the read, so the bytes may be of two versions."""


class Version(NamedTuple):
    """The file attributes that identify one version of a file."""

    device: int
    inode: int
    size: int
    modified_ns: int
    changed_ns: int

    @property
    def content(self) -> tuple[int, int]:
        """Return the attributes that only a write changes; a rename or chmod does not."""
        return self.size, self.modified_ns


_digests: OrderedDict[Version, str] = OrderedDict()
"""The hashes of file versions, the least recently used first."""

_digests_lock = Lock()


PIECE_BYTES = 256 * 1024
_RECENT_NS = 250_000_000
_SECOND_NS = 1_000_000_000
_MAX_DIGESTS = 1_024


class OpenAsset:
    """One version of a file, held open; replacing the file by name does not affect it.

    A write into the same file is detected: `piece` and `digest` raise AssetChanged.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor: int | None = descriptor
        self._lock = Lock()
        self.version = _version(descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    @property
    def size(self) -> int:
        """Return the size of the file in bytes."""
        return self.version.size

    @property
    def is_settling(self) -> bool:
        """Return whether the file changed so recently that a write may leave its times equal."""
        newest_ns = max(self.version.modified_ns, self.version.changed_ns)
        return 0 <= time.time_ns() - newest_ns < _RECENT_NS

    @property
    def modified_at(self) -> datetime | None:
        """Return the second in which the file was written; None if more may be written in it.

        So versions of a file with the same time have the same bytes.
        """
        seconds = self.version.modified_ns // _SECOND_NS
        is_over = time.time_ns() // _SECOND_NS > seconds
        return datetime.fromtimestamp(seconds, UTC) if is_over and seconds > 0 else None

    def piece(self, start: int, stop: int | None = None) -> bytes:
        """Return at most PIECE_BYTES bytes from `start`, none of them at `stop` or behind it.

        Raises AssetChanged if the file is no longer the version that was opened.
        """
        with self._lock:
            if self._descriptor is None:
                raise AssetChanged
            # The kernel sets the times of a file before it writes, so read first, then compare.
            count = min(PIECE_BYTES, (self.size if stop is None else stop) - start)
            data = os.pread(self._descriptor, count, start)
            if _version(self._descriptor).content != self.version.content:
                raise AssetChanged
            return data

    def digest(self) -> str:
        """Return a hash of all bytes, cached for each version; raises AssetChanged.

        One thread computes it while the others wait.
        """
        with _digests_lock:
            digest = _digests.pop(self.version, None)
            if digest is None:
                hashed = blake2b(digest_size=12)
                for piece in pieces(self):
                    hashed.update(piece)
                digest = hashed.hexdigest()
            if not self.is_settling:
                _digests[self.version] = digest
            if len(_digests) > _MAX_DIGESTS:
                _digests.popitem(last=False)
            return digest

    def close(self) -> None:
        """Close the file; further calls do nothing."""
        with self._lock:
            descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)


def pieces(asset: OpenAsset) -> Iterator[bytes]:
    """Yield the bytes of an asset piece by piece; raises AssetChanged."""
    start = 0
    while piece := asset.piece(start):
        yield piece
        start += len(piece)


def _version(descriptor: int) -> Version:
    status = os.fstat(descriptor)
    return Version(
        status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
    )


MAX_ASSET_BYTES = 32 * 1024 * 1024
MAX_WHOLE_BYTES = 512 * 1024
"""Maximum size of an asset that is held in memory as a whole."""


def open_asset(root: Path, path: str) -> OpenAsset:
    """Open one image or download; raises ContentFileError."""
    try:
        asset = OpenAsset(open_beneath(root, path))
    except OSError as error:
        raise ContentFileError(unreadable(path, error)) from None
    if asset.size > MAX_ASSET_BYTES:
        asset.close()
        message = Text("The file is larger than {} MiB.", MAX_ASSET_BYTES // (1024 * 1024))
        raise ContentFileError(
            DiagnosticKind.TOO_LARGE.error(path, message, Text("Split it, or host it elsewhere."))
        )
    return asset


def read_asset(root: Path, path: str) -> bytes:
    """Return all bytes of a small asset; raises ContentFileError."""
    return read_dated_asset(root, path)[0]


def read_dated_asset(root: Path, path: str) -> tuple[bytes, str, datetime | None]:
    """Return all bytes of a small asset, their hash, and when they were written.

    Raises ContentFileError.
    """
    with open_asset(root, path) as asset:
        try:
            body = b"".join(pieces(asset))
            return body, blake2b(body, digest_size=12).hexdigest(), asset.modified_at
        except AssetChanged:
            diagnostic = DiagnosticKind.UNREADABLE_FILE.error(
                path, Text("The file changed while it was read."), Text("Save it again.")
            )
            raise ContentFileError(diagnostic) from None
        except OSError as error:
            raise ContentFileError(unreadable(path, error)) from None


_DIGITS = 24
_HEXADECIMAL = frozenset("0123456789abcdef")


class NamedFile(NamedTuple):
    """A file of the content folder, and the hash in the name by which it was asked for."""

    path: str
    digest: str | None = None


def hashed_name(path: str, digest: str) -> str:
    """Return the path of a file with a hash of its bytes.

    >>> hashed_name("images/a.b.png", "0123456789abcdef01234567")
    'images/a.b.0123456789abcdef01234567.png'
    """
    stem, dot, suffix = path.rpartition(".")
    return f"{stem}.{digest}{dot}{suffix}"


def find_file(files: Container[str], name: str) -> NamedFile | None:
    """Return the file that a path names, with a hash or without, or None.

    >>> find_file({"images/a.png"}, "images/a.0123456789abcdef01234567.png").path
    'images/a.png'
    """
    if name in files:
        return NamedFile(name)
    stem, dot, suffix = name.rpartition(".")
    start, _, digest = stem.rpartition(".")
    path = f"{start}{dot}{suffix}"
    is_hash = len(digest) == _DIGITS and _HEXADECIMAL.issuperset(digest)
    return NamedFile(path, digest) if is_hash and path in files else None
