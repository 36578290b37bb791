"""The deletion guard: keeps the last edition when most documents disappear at once.

A lost mount, or a mistaken `rm -rf`, looks like the deletion of all content. The guard keeps
serving the previous content until the documents are back or an operator accepts the deletion.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from app.publishing.content.acceptance import Acceptance, fingerprint, read_acceptance
from knowledge.snapshot.loading import LoadedContent

log = logging.getLogger(__name__)

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
        baseline = self._baseline_of(served)
        if not is_mass_deletion(baseline.document_count, loaded.document_count):
            self._track_deletions(baseline, served, loaded)
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

    def _baseline_of(self, served: LoadedContent) -> LoadedContent:
        """Return the content from before the current series of deletions, if there is one."""
        if self._baseline is None or self._now() - self._deleted_at > _SERIES_SECONDS:
            return served
        return self._baseline

    def _track_deletions(
        self, baseline: LoadedContent, served: LoadedContent, loaded: LoadedContent
    ) -> None:
        """Remember the content from before a series of deletions, as long as it continues."""
        self._baseline = baseline if loaded.document_count < baseline.document_count else None
        if loaded.document_count < served.document_count:
            self._deleted_at = self._now()

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
