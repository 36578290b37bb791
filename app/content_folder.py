"""The content folder: read so that an edition is a state in which it really was."""

from __future__ import annotations

import stat
from collections.abc import Collection
from pathlib import Path
from time import monotonic

from knowledge.reading import Reading, read_folder, read_settled

Identity = tuple[int, int]
"""Device and inode."""

_PATIENCE_SECONDS = 0.25
"""How long files that are being written are waited for: an edit is live within a second."""


class ContentFolder:
    """A folder, or a link to one that may turn to another release at any time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._identity: Identity | None = None

    def read(self, previous: Reading | None, changed: Collection[str] | None) -> Reading:
        """Read what changed since `previous`, all of it where that is not told; raises OSError.

        It is of one release, and what changed in another one says nothing of it.
        """
        folder = self._path.resolve(strict=True)
        identity = identity_of(folder)
        told = changed if identity == self._identity else None
        reading = _settled(folder, previous, told) if previous else read_folder(folder)
        self._identity = identity
        return reading


def identity_of(folder: Path) -> Identity | None:
    """Which folder a path leads to now, None where it leads to none."""
    try:
        status = folder.stat()
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISDIR(status.st_mode) else None


def _settled(folder: Path, previous: Reading, changed: Collection[str] | None) -> Reading:
    until = monotonic() + _PATIENCE_SECONDS
    return read_settled(folder, previous, changed, lambda: monotonic() < until)
