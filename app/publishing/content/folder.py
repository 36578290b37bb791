"""The content folder: loads it consistently while it changes, and holds mass deletions back.

A lost mount, or a mistaken `rm -rf`, looks like the deletion of all content. The guard keeps
serving the previous content until the documents are back or an operator accepts the deletion.
"""

from __future__ import annotations

import hashlib
import logging
import os
import stat
from collections.abc import Callable, Collection, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from time import monotonic, sleep, time_ns
from typing import NamedTuple

from knowledge.documents.files import scan
from knowledge.documents.parsed_files import ParsedFiles
from knowledge.snapshot.loading import LoadedContent, load_consistent

log = logging.getLogger(__name__)

Identity = tuple[int, int]
"""Device and inode."""


_MAX_RETRIES = 3
"""How often to load again because the symbolic link was switched during the load."""


class ContentFolder:
    """A folder, or a symbolic link that may be switched to another release at any time."""

    def __init__(
        self,
        path: Path,
        parsed: ParsedFiles | None = None,
        form_kinds: Collection[str] | None = None,
    ) -> None:
        self.path = path
        self._parsed = parsed
        self._form_kinds = form_kinds
        self._identity: Identity | None = None
        self._outdated_since_ns: int | None = None
        self.resolved = path
        """The folder that was read last, without links."""

    def another(self, path: Path) -> ContentFolder:
        """Return another folder with the same content at another time, which is not read yet."""
        return ContentFolder(path, self._parsed, self._form_kinds)

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
            if identity_of(self.path) == self._identity:
                break
            loaded = self._read(loaded, None)
        return loaded

    def missed(self, loaded: LoadedContent) -> AbstractSet[str] | None:
        """Return the paths that differ from what was loaded; raises OSError.

        None if it was loaded from another release, so that all of it may differ.
        """
        folder = self.path.resolve(strict=True)
        if identity_of(folder) != self._identity:
            return None
        return loaded.scanned.differences(scan(folder))

    def keep_parsed(self, loaded: LoadedContent, yield_cpu: Callable[[], None]) -> None:
        """Keep what was parsed for the next start, once, if much of it was not kept before."""
        since_ns, self._outdated_since_ns = self._outdated_since_ns, None
        if self._parsed is not None and since_ns is not None:
            self._parsed.write(loaded.read.known, loaded.scanned.links, since_ns, yield_cpu)

    def _read(
        self, previous: LoadedContent | None, changed: Collection[str] | None
    ) -> LoadedContent:
        folder = self.path.resolve(strict=True)
        identity = identity_of(folder)
        changed_here = changed if identity == self._identity else None
        self._identity = None  # after an error the next load must be a full one
        parsed = None if previous else self._parsed
        read_at_ns = time_ns()
        loaded = load_consistent(
            folder, previous, changed_here, _bounded_wait(), parsed, self._form_kinds
        )
        if parsed and parsed.is_outdated(len(loaded.files)):
            self._outdated_since_ns = read_at_ns
        self._identity, self.resolved = identity, folder
        return loaded


def identity_of(folder: Path) -> Identity | None:
    """Return the device and inode of the folder that a path refers to now, or None."""
    try:
        status = folder.stat()
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISDIR(status.st_mode) else None


_STEP_SECONDS = 0.01
_MAX_WAITS = 25
"""How often to wait for files that are being written. An edit must be live within a second.

A number and no time: a busy machine, on which the writer is slower too, gets as many.
"""


def _bounded_wait() -> Callable[[], bool]:
    """Return a function that sleeps briefly, and returns False once it has done so too often."""
    waits = count(1)

    def wait() -> bool:
        sleep(_STEP_SECONDS)
        return next(waits) < _MAX_WAITS

    return wait


_ALLOWED_DELETIONS = 20
_SERIES_SECONDS = 30.0
"""Deletions less than this apart count as one: `rm -rf` is noticed in several steps."""


def is_mass_deletion(before: int, after: int) -> bool:
    """Return whether more than 20 documents, and more than half of them, are gone.

    >>> is_mass_deletion(1_000, 500), is_mass_deletion(1_000, 499)
    (False, True)
    >>> is_mass_deletion(20, 0), is_mass_deletion(21, 0)
    (False, True)
    """
    deleted = before - after
    return deleted > _ALLOWED_DELETIONS and 2 * deleted > before


class Acceptance(NamedTuple):
    """The accepted set of documents, and when it was accepted."""

    fingerprint: str
    written_ns: int


@dataclass(frozen=True, slots=True)
class MassDeletion:
    """A mass deletion that is not applied; its text is the error message."""

    before: int
    after: int
    acceptance: Acceptance | None
    """The acceptance file when the deletion was noticed; it cannot be meant for this deletion."""

    def __str__(self) -> str:
        return (
            f"Only {self.after} of {self.before} documents are left in the content folder. "
            "The last edition stays, and later edits are not applied. Restore the documents, or "
            "accept the deletion with `majlis content accept` or a restart."
        )


class DeletionGuard:
    """Chooses between the newly loaded content and the content served before."""

    def __init__(self, root: Path, now: Callable[[], float] = monotonic) -> None:
        self._root = root
        self._now = now
        self._baseline: LoadedContent | None = None
        self._deleted_at = 0.0
        self._read_at_ns = 0
        self.held: MassDeletion | None = None

    def choose(
        self, served: LoadedContent | None, loaded: LoadedContent, read_at_ns: int
    ) -> LoadedContent:
        """Return the content to serve after a load that began at `read_at_ns` (wall clock).

        It is the loaded content, unless most documents are gone: then it is the content from
        before the deletions began.
        """
        if served is None or loaded is served:
            return self._accept(loaded, read_at_ns)
        baseline = served  # or the content from before the current series of deletions
        if self._baseline is not None and self._now() - self._deleted_at <= _SERIES_SECONDS:
            baseline = self._baseline
        if not is_mass_deletion(baseline.document_count, loaded.document_count):
            has_lost = loaded.document_count < baseline.document_count
            self._baseline = baseline if has_lost else None
            if loaded.document_count < served.document_count:
                self._deleted_at = self._now()
            return self._accept(loaded, read_at_ns)
        if self._is_accepted(loaded):
            self._baseline = None
            log.warning("Deletion accepted; %d documents are left", loaded.document_count)
            return self._accept(loaded, read_at_ns)
        self._hold(baseline, loaded)
        return baseline

    def _accept(self, loaded: LoadedContent, read_at_ns: int) -> LoadedContent:
        if self.held is not None:
            log.info("Serving the current state of the content folder again")
        self.held = None
        self._read_at_ns = read_at_ns
        return loaded

    def _is_accepted(self, loaded: LoadedContent) -> bool:
        """Return whether an operator accepted these documents after the last complete load.

        Times alone are unreliable if the clock was set, or belongs to another machine. So an
        acceptance that did not exist when the deletion was noticed counts, whatever its time.
        """
        acceptance = read_acceptance(self._root)
        if acceptance is None or acceptance.fingerprint != fingerprint(loaded.scanned.documents):
            return False
        is_later = acceptance.written_ns > self._read_at_ns
        return is_later or (self.held is not None and acceptance != self.held.acceptance)

    def _hold(self, baseline: LoadedContent, loaded: LoadedContent) -> None:
        earlier = self.held.acceptance if self.held else read_acceptance(self._root)
        held = MassDeletion(baseline.document_count, loaded.document_count, earlier)
        if self.held is None:
            log.error("%s", held)
        self.held = held


ACCEPTANCE_FILE = ".majlis-accepted"
"""The file that `majlis content accept` writes, and every process that serves the folder reads, on
any machine. Its name is hidden, so that it is never published."""

_FINGERPRINT_LENGTH = 64


def fingerprint(documents: Iterable[str]) -> str:
    """Return a hash of the documents' paths. Edits of documents do not change it.

    >>> fingerprint(["a.md", "b.md"]) == fingerprint(["b.md", "a.md"]) != fingerprint(["a.md"])
    True
    """
    return hashlib.sha256("\n".join(sorted(documents)).encode()).hexdigest()


def write_acceptance(root: Path, documents: Iterable[str]) -> None:
    """Accept these documents as the complete content; raises OSError if the write fails."""
    folder = root.resolve(strict=True)
    temporary = folder / f"{ACCEPTANCE_FILE}.new"
    temporary.write_text(f"{fingerprint(documents)}\n", encoding="ascii")
    temporary.replace(folder / ACCEPTANCE_FILE)


def read_acceptance(root: Path) -> Acceptance | None:
    """Return the newest acceptance, or None if there is none or it cannot be read."""
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        descriptor = os.open(root / ACCEPTANCE_FILE, flags)
    except OSError:
        return None
    try:
        text = os.read(descriptor, _FINGERPRINT_LENGTH).decode("ascii", "replace")
        return Acceptance(text, os.fstat(descriptor).st_mtime_ns)
    except OSError:
        return None
    finally:
        os.close(descriptor)
