"""The deletion guard: when most documents vanish at once, the last edition stays.

A mount that is lost, or a wrong `rm -rf`, looks like a deletion of everything. The guard serves
what was there before, until the documents are back, or an operator says that it was meant.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from app.content.acceptance import Acceptance, fingerprint, read_acceptance
from knowledge.loading import LoadedContent

log = logging.getLogger(__name__)

_ALLOWED_DELETIONS = 20
_SERIES_SECONDS = 30.0
"""Deletions less than this apart are one: `rm -rf` is noticed in several steps."""


def is_mass_deletion(before: int, after: int) -> bool:
    """Whether more than 20 documents are gone, and more than half of them.

    >>> is_mass_deletion(1_000, 500), is_mass_deletion(1_000, 499)
    (False, True)
    >>> is_mass_deletion(20, 0), is_mass_deletion(21, 0)
    (False, True)
    """
    deleted = before - after
    return deleted > _ALLOWED_DELETIONS and 2 * deleted > before


@dataclass(frozen=True, slots=True)
class MassDeletion:
    """A deletion that is held back."""

    before: int
    after: int
    acceptance: Acceptance | None
    """The newest acceptance when the deletion was noticed; it meant an earlier one."""

    def __str__(self) -> str:
        return (
            f"Only {self.after} of {self.before} documents are left in the content folder. "
            "The last edition stays, and edits wait. Bring the documents back, or accept the "
            "deletion with `majlis content accept` or a restart."
        )


class DeletionGuard:
    """Chooses between what was found in the folder and what was served before."""

    def __init__(self, root: Path, now: Callable[[], float] = monotonic) -> None:
        self._root = root
        self._now = now
        self._baseline: LoadedContent | None = None
        self._deleted_at = 0.0
        self._read_at_ns = 0
        self.held: MassDeletion | None = None

    def choose(
        self, served: LoadedContent | None, found: LoadedContent, read_at_ns: int
    ) -> LoadedContent:
        """What to serve after a reading that began at this time of the clock.

        It is the reading itself, unless most documents are gone: then it is the one from before
        they began to vanish.
        """
        if served is None or found is served:
            return self._take(found, read_at_ns)
        baseline = self._baseline_of(served)
        if not is_mass_deletion(baseline.document_count, found.document_count):
            self._follow(baseline, served, found)
            return self._take(found, read_at_ns)
        if self._is_accepted(found):
            self._baseline = None
            log.warning("The deletion is accepted: %d documents are left", found.document_count)
            return self._take(found, read_at_ns)
        self._hold(baseline, found)
        return baseline

    def _take(self, found: LoadedContent, read_at_ns: int) -> LoadedContent:
        if self.held is not None:
            log.info("The content folder is served again as it is")
        self.held = None
        self._read_at_ns = read_at_ns
        return found

    def _baseline_of(self, served: LoadedContent) -> LoadedContent:
        """The reading from before the series of deletions that goes on, if any does."""
        if self._baseline is None or self._now() - self._deleted_at > _SERIES_SECONDS:
            return served
        return self._baseline

    def _follow(self, baseline: LoadedContent, served: LoadedContent, found: LoadedContent) -> None:
        """Remember where a series of deletions began, as long as it goes on."""
        self._baseline = baseline if found.document_count < baseline.document_count else None
        if found.document_count < served.document_count:
            self._deleted_at = self._now()

    def _is_accepted(self, found: LoadedContent) -> bool:
        """Whether an operator accepted these documents after they were last seen complete.

        The times alone may mislead where the clock was set, or is another machine's. So an
        acceptance that was not there when the deletion was noticed counts whatever its time is.
        """
        accepted = read_acceptance(self._root)
        if accepted is None or accepted.fingerprint != fingerprint(found.scanned.documents):
            return False
        is_later = accepted.written_ns > self._read_at_ns
        return is_later or (self.held is not None and accepted != self.held.acceptance)

    def _hold(self, baseline: LoadedContent, found: LoadedContent) -> None:
        known = self.held.acceptance if self.held else read_acceptance(self._root)
        held = MassDeletion(baseline.document_count, found.document_count, known)
        if self.held is None:
            log.error("%s", held)
        self.held = held
