"""The content folder: read so that an edition is a state in which it really was."""

from __future__ import annotations

import stat
from collections.abc import Callable, Collection
from pathlib import Path
from time import monotonic, sleep

from knowledge.loading import LoadedContent, load_consistent

Identity = tuple[int, int]
"""Device and inode."""

_PATIENCE_SECONDS = 0.25
"""How long files that are being written are waited for: an edit is live within a second."""

_STEP_SECONDS = 0.01
_MOST_TURNS = 3
"""A link that turns more often than that while it is followed has no release to catch."""


class ContentFolder:
    """A folder, or a link to one that may turn to another release at any time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._identity: Identity | None = None

    def read(
        self, previous: LoadedContent | None, changed: Collection[str] | None
    ) -> LoadedContent:
        """Read what changed since `previous`, all of it where that is not told; raises OSError.

        It is of one release, and what changed in another one says nothing of it. Where the link
        turned meanwhile the next release is read too: of the last one files may be gone already.
        """
        loaded = self._read(previous, changed)
        for _ in range(_MOST_TURNS):
            if identity_of(self._path) == self._identity:
                break
            loaded = self._read(loaded, None)
        return loaded

    def _read(
        self, previous: LoadedContent | None, changed: Collection[str] | None
    ) -> LoadedContent:
        folder = self._path.resolve(strict=True)
        identity = identity_of(folder)
        told = changed if identity == self._identity else None
        self._identity = None  # known again when all went well: what a fault ends is lost
        loaded = load_consistent(folder, previous, told, _patience())
        self._identity = identity
        return loaded


def identity_of(folder: Path) -> Identity | None:
    """Which folder a path leads to now, None where it leads to none."""
    try:
        status = folder.stat()
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISDIR(status.st_mode) else None


def _patience() -> Callable[[], bool]:
    """A wait of a moment, which says whether it was one; it begins to count when first asked."""
    until: float | None = None

    def wait() -> bool:
        nonlocal until
        until = until or monotonic() + _PATIENCE_SECONDS
        sleep(_STEP_SECONDS)
        return monotonic() < until

    return wait
