"""The content folder: loads content consistently while files or symbolic links change."""

from __future__ import annotations

import stat
from collections.abc import Callable, Collection
from collections.abc import Set as AbstractSet
from pathlib import Path
from time import monotonic, sleep, time_ns

from knowledge.documents.files import scan
from knowledge.documents.parsed_files import ParsedFiles
from knowledge.snapshot.loading import LoadedContent, load_consistent

Identity = tuple[int, int]
"""Device and inode."""

_MAX_WAIT_SECONDS = 0.25
"""How long to wait for files that are being written. An edit must be live within a second."""

_STEP_SECONDS = 0.01
_MAX_RETRIES = 3
"""How often to load again because the symbolic link was switched during the load."""


class ContentFolder:
    """A folder, or a symbolic link that may be switched to another release at any time."""

    def __init__(self, path: Path, parsed: ParsedFiles | None = None) -> None:
        self._path = path
        self._parsed = parsed
        self._identity: Identity | None = None
        self._outdated_since_ns: int | None = None

    def read(
        self, previous: LoadedContent | None, changed: Collection[str] | None
    ) -> LoadedContent:
        """Load what changed since `previous`; everything if `changed` is None; raises OSError.

        The result is of one release. If the link is switched during the load, the next release
        is loaded as well, as files of the old one may be deleted already. `changed` is ignored
        if it is about another release.
        """
        loaded = self._read(previous, changed)
        for _ in range(_MAX_RETRIES):
            if identity_of(self._path) == self._identity:
                break
            loaded = self._read(loaded, None)
        return loaded

    def missed(self, loaded: LoadedContent) -> AbstractSet[str] | None:
        """Return the paths that differ from what was loaded; raises OSError.

        None if it was loaded from another release, so that all of it may differ.
        """
        folder = self._path.resolve(strict=True)
        if identity_of(folder) != self._identity:
            return None
        return loaded.scanned.differences(scan(folder))

    def keep_parsed(self, loaded: LoadedContent, breathe: Callable[[], None]) -> None:
        """Keep what was parsed for the next start, once, if much of it was not kept before."""
        since_ns, self._outdated_since_ns = self._outdated_since_ns, None
        if self._parsed is not None and since_ns is not None:
            self._parsed.write(loaded.read.known, loaded.scanned.links, since_ns, breathe)

    def _read(
        self, previous: LoadedContent | None, changed: Collection[str] | None
    ) -> LoadedContent:
        folder = self._path.resolve(strict=True)
        identity = identity_of(folder)
        changed_here = changed if identity == self._identity else None
        self._identity = None  # after an error the next load must be a full one
        parsed = None if previous else self._parsed
        read_at_ns = time_ns()
        loaded = load_consistent(folder, previous, changed_here, _bounded_wait(), parsed)
        if parsed and parsed.is_outdated(len(loaded.files)):
            self._outdated_since_ns = read_at_ns
        self._identity = identity
        return loaded


def identity_of(folder: Path) -> Identity | None:
    """Return the device and inode of the folder that a path refers to now, or None."""
    try:
        status = folder.stat()
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISDIR(status.st_mode) else None


def _bounded_wait() -> Callable[[], bool]:
    """Return a function that sleeps briefly and returns False once the time limit is over.

    The time limit begins with the first call.
    """
    until: float | None = None

    def wait() -> bool:
        nonlocal until
        until = until or monotonic() + _MAX_WAIT_SECONDS
        sleep(_STEP_SECONDS)
        return monotonic() < until

    return wait
