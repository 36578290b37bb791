"""Editions: one reading of the content with its search index, replaced whole."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from time import monotonic, time_ns

from app import garbage_collection
from app.content.deletion_guard import DeletionGuard
from app.content.folder import ContentFolder
from app.observability.metrics import (
    CONTENT_DIAGNOSTICS,
    CONTENT_FILES,
    CONTENT_STALE,
    EDITION_AGE,
    RELOADS,
    Sample,
)
from indexes.breath import Breathe
from indexes.search import SearchIndex, first_index
from knowledge.assets import MAX_WHOLE_BYTES
from knowledge.diagnostics import Diagnostic, Severity
from knowledge.errors import ContentUnavailable
from knowledge.loading import LoadedContent, stale_bytes
from knowledge.memoize import clear_document_caches
from knowledge.snapshot import Snapshot

log = logging.getLogger(__name__)

_MAX_STALE_BYTES = 1024 * 1024
"""So much of past editions may be remembered; less, and each edit would cost what is worked out."""


@dataclass(frozen=True, eq=False, slots=True)
class Edition:
    """What is served: a snapshot and the index made from it. Requests take it once."""

    content: LoadedContent
    index: SearchIndex

    @property
    def snapshot(self) -> Snapshot:
        """The documents of this edition."""
        return self.content.snapshot

    def is_large_asset(self, path: str) -> bool:
        """Whether the file at a path of the content folder is to be sent piece by piece."""
        fingerprint = self.content.scanned.assets.get(path)
        return fingerprint is not None and fingerprint.size > MAX_WHOLE_BYTES

    @property
    def errors(self) -> list[Diagnostic]:
        """Faults that keep a file, or its newest version, from being served."""
        return [
            diagnostic
            for diagnostic in self.content.diagnostics
            if diagnostic.severity is Severity.ERROR
        ]


class ContentStore:
    """Holds the current edition; swapping it is one assignment."""

    def __init__(self, content_dir: Path) -> None:
        self.content_dir = content_dir
        self._folder = ContentFolder(content_dir)
        self._guard = DeletionGuard(content_dir)
        self._current: Edition | None = None
        self._unreadable: str | None = None
        self._lock = Lock()
        self._compacting = Lock()
        self._reloads = 0
        self._stale_bytes = 0
        self._read_at = 0.0

    @property
    def current(self) -> Edition:
        """The edition to answer from; raises ContentUnavailable before there is one."""
        edition = self._current
        if edition is None:
            raise ContentUnavailable(
                "The content cannot be read at the moment.", "Try again in a few seconds."
            )
        return edition

    @property
    def loaded(self) -> bool:
        """Whether there is an edition."""
        return self._current is not None

    @property
    def first_error(self) -> str | None:
        """The first thing wrong with the content, if anything; never an absolute path."""
        if self._unreadable or self._current is None:
            return self._unreadable
        if self._guard.held:
            return str(self._guard.held)
        return next((str(diagnostic) for diagnostic in self._current.errors), None)

    @property
    def is_incomplete(self) -> bool:
        """Whether the folder holds less than is served, or than can be read.

        No event of the file system may tell when that ends, as with a mount that returns.
        """
        if self._unreadable or self._guard.held:
            return True
        return self._current is not None and bool(self._current.content.scanned.unreadable)

    def metrics_samples(self) -> Iterator[Sample]:
        """What metrics tell of the content."""
        yield RELOADS, (), self._reloads
        edition = self._current
        if edition is not None:
            yield CONTENT_STALE, ("documents_deleted",), float(self._guard.held is not None)
            yield CONTENT_STALE, ("folder_unreadable",), float(self._unreadable is not None)
            yield EDITION_AGE, (), monotonic() - self._read_at
            yield CONTENT_FILES, (), len(edition.content.files)
            counts = Counter(diagnostic.severity for diagnostic in edition.content.diagnostics)
            for severity in Severity:
                yield CONTENT_DIAGNOSTICS, (severity.label,), counts[severity]

    def reload(self, changed: Collection[str] | None = None) -> None:
        """Read what changed and swap; blocks, and is safe to call from several threads.

        Without the paths that changed the whole folder is looked through. Where nothing did, the
        folder cannot be read, or most documents are gone, the last edition stays.
        """
        with self._lock:
            previous = self._current.content if self._current else None
            read_at_ns = time_ns()
            try:
                found = self._read(previous, changed) if previous else self._first()
            except OSError as error:
                reason = error.strerror or type(error).__name__
                self._unreadable = f"The content folder cannot be read: {reason.lower()}."
                log.error("%s Set CONTENT_DIR to a folder that can be read.", self._unreadable)
                return
            self._unreadable = None
            self._reloads += 1
            self._read_at = monotonic()
            content = self._guard.choose(previous, found, read_at_ns)
            if content is previous:
                return
            self._current = Edition(content, self._next_index(content))
            _log_new_diagnostics(previous, content)
            self._release_stale_caches(previous, content)

    def _read(self, previous: LoadedContent, changed: Collection[str] | None) -> LoadedContent:
        """Paths that changed say nothing of a folder whose last reading is not served."""
        return self._folder.read(previous, None if self._guard.held else changed)

    def _first(self) -> LoadedContent:
        """Nobody reads yet: what the first readers would wait for is made as well."""
        with garbage_collection.gc_frozen():
            content = self._folder.read(None, None)
            for locale in content.snapshot.open_locales:
                content.snapshot.posts(locale)
            return content

    def _next_index(self, content: LoadedContent) -> SearchIndex:
        if self._current is None:
            return first_index(content.snapshot, content.word_lists)
        return self._current.index.updated(content.snapshot, content.word_lists)

    def _release_stale_caches(self, previous: LoadedContent | None, content: LoadedContent) -> None:
        if previous is not None:
            self._stale_bytes += stale_bytes(previous, content)
        if self._stale_bytes > _MAX_STALE_BYTES:
            clear_document_caches()
            self._stale_bytes = 0

    def compact(self, breathe: Breathe) -> None:
        """Make the search index anew where much has changed; readers go on meanwhile.

        Blocks for seconds where there are thousands of posts. What is read in the meantime lies on
        the new index as it lay on the old one.
        """
        with self._compacting:
            if self._current is None or self._current.index.is_settled:
                return
            index = self._current.index
            catalogues = index.new_catalogues(breathe)
            with self._lock:
                edition = self._current
                if edition.index.vocabulary is index.vocabulary:
                    content = edition.content
                    index = index.resting_on(catalogues)
                    index = index.updated(content.snapshot, content.word_lists)
                    self._current = replace(edition, index=index)


def _log_new_diagnostics(previous: LoadedContent | None, content: LoadedContent) -> None:
    known = set(previous.diagnostics) if previous else set()
    for diagnostic in content.diagnostics:
        if diagnostic not in known:
            level = logging.ERROR if diagnostic.severity is Severity.ERROR else logging.WARNING
            log.log(level, "%s", diagnostic)
    log.info("Edition of %d files, %d faults", len(content.files), len(content.diagnostics))
