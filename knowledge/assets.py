"""Assets: images and downloads of the content folder, whole where small, else piece by piece."""

from __future__ import annotations

import os
import time
from collections import OrderedDict
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import NamedTuple, Self

from knowledge.diagnostics import ContentFileError, Diagnostic
from knowledge.opening import open_beneath, unreadable

MAX_ASSET_BYTES = 32 * 1024 * 1024
MAX_WHOLE_BYTES = 512 * 1024
"""A larger asset is never held in memory as a whole."""

PIECE_BYTES = 256 * 1024
_SETTLING_NS = 250_000_000
_MOST_DIGESTS = 1_024


class AssetChanged(Exception):
    """The file was written to while it was read: what was read may be of two versions."""


class Version(NamedTuple):
    """What tells one version of a file from the next."""

    device: int
    inode: int
    size: int
    modified_ns: int
    changed_ns: int

    @property
    def content(self) -> tuple[int, int]:
        """What a write changes; a new name or mode, or the loss of its name, does not."""
        return self.size, self.modified_ns


class OpenAsset:
    """One version of a file, held open: a new file under its name changes nothing here.

    A write into the file itself is noticed: `piece` and `digest` raise AssetChanged.
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
        """Bytes of the whole file."""
        return self.version.size

    @property
    def is_settling(self) -> bool:
        """Whether it was written to so lately that a next write may bear the same time."""
        newest_ns = max(self.version.modified_ns, self.version.changed_ns)
        return 0 <= time.time_ns() - newest_ns < _SETTLING_NS

    def piece(self, start: int) -> bytes:
        """The bytes from `start` on, at most PIECE_BYTES; none at the end.

        Raises AssetChanged where the file is no longer the version that was opened.
        """
        with self._lock:
            if self._descriptor is None:
                raise AssetChanged
            # The kernel sets the times of a file before it writes: reading comes first here.
            read = os.pread(self._descriptor, min(PIECE_BYTES, self.size - start), start)
            if _version(self._descriptor).content != self.version.content:
                raise AssetChanged
            return read

    def digest(self) -> str:
        """A hash of all bytes, worked out once for each version; raises AssetChanged."""
        return _DIGESTS.of(self)

    def close(self) -> None:
        """Let go of the file; a second time does nothing."""
        with self._lock:
            descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)


class _Digests:
    """The hashes of the versions that were asked for last."""

    def __init__(self) -> None:
        self._known: OrderedDict[Version, str] = OrderedDict()
        self._lock = Lock()

    def of(self, asset: OpenAsset) -> str:
        """One thread works it out; others who ask meanwhile wait for it."""
        with self._lock:
            digest = self._known.pop(asset.version, None) or _hashed(asset)
            if not asset.is_settling:
                self._known[asset.version] = digest
            if len(self._known) > _MOST_DIGESTS:
                self._known.popitem(last=False)
            return digest


_DIGESTS = _Digests()


def open_asset(root: Path, path: str) -> OpenAsset:
    """Open one image or download, or raise ContentFileError."""
    try:
        asset = OpenAsset(open_beneath(root, path))
    except OSError as error:
        raise ContentFileError(unreadable(path, error)) from None
    if asset.size > MAX_ASSET_BYTES:
        asset.close()
        message = f"The file is larger than {MAX_ASSET_BYTES // (1024 * 1024)} MiB."
        raise ContentFileError(
            Diagnostic(path, message, "Split it, or move large parts elsewhere.")
        )
    return asset


def read_asset(root: Path, path: str) -> bytes:
    """The bytes of an asset that is small enough to be held, or ContentFileError."""
    with open_asset(root, path) as asset:
        try:
            return b"".join(pieces(asset))
        except AssetChanged:
            diagnostic = Diagnostic(
                path, "The file changes while it is read.", "Write it again, whole."
            )
            raise ContentFileError(diagnostic) from None
        except OSError as error:
            raise ContentFileError(unreadable(path, error)) from None


def pieces(asset: OpenAsset) -> Iterator[bytes]:
    """All bytes of an asset, in their order; raises AssetChanged."""
    start = 0
    while piece := asset.piece(start):
        yield piece
        start += len(piece)


def _hashed(asset: OpenAsset) -> str:
    hashed = blake2b(digest_size=12)
    for piece in pieces(asset):
        hashed.update(piece)
    return hashed.hexdigest()


def _version(descriptor: int) -> Version:
    status = os.fstat(descriptor)
    return Version(
        status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
    )
