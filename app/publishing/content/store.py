"""The content store: holds the current edition and replaces it after a reload."""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from threading import Lock, RLock
from time import monotonic, time_ns

from sqlalchemy.ext.asyncio import AsyncConnection

from app.platform import memory
from app.platform.clock import Clock, utc_now
from app.platform.memory import return_free_memory
from app.platform.observability.metrics import (
    CONTENT_DIAGNOSTICS,
    CONTENT_FILES,
    CONTENT_STALE,
    CONTENT_WAITING,
    EDITION_AGE,
    RELOADS,
    Sample,
)
from app.publishing.content.folder import ContentFolder, DeletionGuard
from app.publishing.content.indexes import (
    EditionPassages,
    EditionPosts,
    Meaning,
    PassageIndexes,
    PostIndexes,
    SearchPosts,
)
from indexes.bases import Progress, Source
from indexes.text.nearest import NearestPaths
from indexes.text.words import Vocabulary
from knowledge.diagnostics.diagnostic import Diagnostic, DiagnosticKind, Severity
from knowledge.documents.assets import MAX_WHOLE_BYTES
from knowledge.documents.images import DIAGRAM
from knowledge.documents.parsed_files import ParsedFiles
from knowledge.edits import EDITION, ObservedMapping, have_same_keys, note, whole
from knowledge.fields.page_type import PAGE_TYPES, PageTypes
from knowledge.markdown import clear_document_caches
from knowledge.resources.errors import ContentUnavailable
from knowledge.snapshot.ignored_files import ignored_files
from knowledge.snapshot.loading import LoadedContent, stale_bytes
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.edit_effects import INDEXES, Edits, Touched, touched, with_shared_results

log = logging.getLogger(__name__)

made_of = ContextVar("made_of", default=deque["Edition"](maxlen=1))  # noqa: B039  # not read
"""The edition of which the response to the current request is made."""

YieldCPU = Callable[[], None]
"""Called often during long work. It may wait to yield the CPU, or raise to cancel the work."""

_PAGES_PER_YIELD = 4
"""Number of pages indexed between two calls of the callback."""
_MAX_STALE_BYTES = 1024 * 1024
"""Maximum bytes of past editions in the document caches. Clearing them at every edit would
discard results that are still valid."""


@dataclass(frozen=True, eq=False, slots=True)
class Edition:
    """A snapshot of the content and its search indexes. A request uses one edition throughout."""

    content: LoadedContent
    vocabulary: Vocabulary
    page_passages: EditionPassages | None = None
    blog_posts: EditionPosts | None = None
    """Both are None in a store without a folder for indexes."""

    similar: NearestPaths = field(default_factory=lambda: NearestPaths(()))
    edits: Edits = field(default_factory=Edits)
    """What the edits up to this edition touched."""

    folder: Path = Path()
    """Where its files are, without links."""

    @property
    def passages(self) -> EditionPassages | None:
        """The index of the passages of pages."""
        note(EDITION)
        return self.page_passages

    @property
    def posts(self) -> EditionPosts | None:
        """The index of the posts."""
        note(EDITION)
        return self.blog_posts

    @property
    def nearest(self) -> NearestPaths:
        """Finds pages by similar paths."""
        note(EDITION)
        return self.similar

    def has_same_indexes(self, other: Edition) -> bool:
        """Return whether another edition finds pages and posts in the same indexes."""
        return (self.page_passages, self.blog_posts) == (other.page_passages, other.blog_posts)

    @property
    def snapshot(self) -> Snapshot:
        """The documents of this edition."""
        return self.content.snapshot

    def is_large_asset(self, path: str) -> bool:
        """Return whether a file is too large to be sent from memory as a whole."""
        fingerprint = self.content.scanned.assets.get(path)
        return fingerprint is not None and fingerprint.size > MAX_WHOLE_BYTES

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Diagnostics of the files, and of what pages could not show so far."""
        not_whole = (
            *self.snapshot.left_out.diagnostics,
            *self.snapshot.templates.faults.diagnostics,
        )
        return *self.content.diagnostics, *not_whole

    @property
    def errors(self) -> list[Diagnostic]:
        """Diagnostics that keep a file, or its newest version, from being served."""
        return [
            each
            for each in self.diagnostics
            if each.severity is Severity.ERROR or each.kind is DiagnosticKind.INVALID_TEMPLATE
        ]


@dataclass(frozen=True, eq=False, slots=True)
class PreparedEdition:
    """An edition that is ready to be shown: of another folder than the current one."""

    edition: Edition
    source: ContentFolder
    previous: Edition
    touched: Touched
    """What differs from the content of `previous`."""


class ContentOrigin:
    """Where editions are from: here a folder that each process follows by itself.

    A feature may have another, on whose editions the processes of several machines agree.
    """

    def commit_of(self, edition: Edition) -> str | None:
        """Return the commit of an edition, if it is from a repository."""
        return None

    @property
    def waiting_seconds(self) -> float | None:
        """How long the oldest commit waits that is not served yet; None without a repository."""
        return None

    @property
    def problem(self) -> str | None:
        """Why a newer one is not served, or None."""
        return None

    @property
    def is_late(self) -> bool:
        """Whether others serve a newer edition, so that nobody should be sent here."""
        return False

    async def is_current(self, edition: Edition) -> bool:
        """Return whether all serve an edition, so that others may be told of it."""
        return True

    async def claims_purge(
        self, connection: AsyncConnection, edition: Edition, at: datetime
    ) -> bool | None:
        """Return whether this process tells of an edition at an instant; None if not yet."""
        return True


class ContentStore:
    """Holds the current edition; replacing it is one atomic assignment.

    `form_kinds` are the kinds of forms that are answered, None for all: others are left out.
    """

    def __init__(
        self,
        content_dir: Path,
        index_dir: Path | None = None,
        clock: Clock = utc_now,
        cache_dir: Path | None = None,
        meaning: Meaning | None = None,
        form_kinds: Collection[str] | None = None,
        index_source: Source | None = None,
    ) -> None:
        self.content_dir = content_dir
        self._clock = clock
        self._meaning = meaning
        self._passage_indexes = (
            PassageIndexes(index_dir, clock, meaning, index_source) if index_dir else None
        )
        self._post_indexes = PostIndexes(index_dir, index_source) if index_dir else None
        parsed = ParsedFiles(cache_dir, content_dir) if cache_dir else None
        self._folder = ContentFolder(content_dir, parsed, form_kinds)
        self._guard = DeletionGuard(content_dir)
        self.origin = ContentOrigin()
        self._current: Edition | None = None
        self._next: tuple[float, PreparedEdition] | None = None
        """The edition to show from an instant on."""
        self._preloaded: Edition | None = None
        self._diagrams: Mapping[str, tuple[int, int]] = {}
        self._unreadable: str | None = None
        self._lock = RLock()
        self._compacting = Lock()
        self._reloads = 0
        self._stale_bytes = 0
        self._read_at = 0.0

    @property
    def current(self) -> Edition:
        """The current edition; raises ContentUnavailable if none has been loaded yet."""
        if self._next is not None and monotonic() >= self._next[0]:
            self._show_next()
        edition = self._current
        if edition is None:
            raise ContentUnavailable(
                "The content is temporarily unavailable.", "Try again in a few seconds."
            )
        return edition

    @property
    def page_types(self) -> PageTypes:
        """The types of pages of the current edition, before the first one the built-in types."""
        edition = self._current
        return edition.snapshot.page_types if edition else PAGE_TYPES

    @property
    def loaded(self) -> bool:
        """Whether an edition has been loaded."""
        return self._current is not None

    @property
    def first_error(self) -> str | None:
        """The most important error of the content, or None; it contains no absolute path."""
        if self._unreadable or self._current is None:
            return self._unreadable
        if self._guard.held:
            return str(self._guard.held)
        return next((str(diagnostic) for diagnostic in self._current.errors), None)

    @property
    def is_incomplete(self) -> bool:
        """Whether the folder, or a part of it, is unreadable, or a mass deletion is held back.

        The end of this state may cause no file system event, for example when a mount returns.
        """
        if self._unreadable or self._guard.held:
            return True
        return self._current is not None and bool(self._current.content.scanned.unreadable)

    def metrics_samples(self) -> Iterator[Sample]:
        """Yield the metrics of the content."""
        yield RELOADS, (), self._reloads
        yield CONTENT_WAITING, (), self.origin.waiting_seconds or 0.0
        edition = self._current
        if edition is not None:
            yield CONTENT_STALE, ("documents_deleted",), float(self._guard.held is not None)
            yield CONTENT_STALE, ("folder_unreadable",), float(self._unreadable is not None)
            yield EDITION_AGE, (), monotonic() - self._read_at
            yield CONTENT_FILES, (), len(edition.content.files)
            counts = Counter(diagnostic.severity for diagnostic in edition.diagnostics)
            for severity in Severity:
                yield CONTENT_DIAGNOSTICS, (severity.label,), counts[severity]

    def preload(self) -> Snapshot | None:
        """Load the content that the first reload is to use; return None if it cannot be read.

        No thread is started, so that the process may fork afterwards.
        """
        with self._lock, suppress(OSError):  # the first reload tries again, and reports it
            self._preloaded = self._first_edition(self._read_first())
            self._preloaded.similar.prepare(lambda: None)  # else each process makes one of its own
            return_free_memory()  # else each process may write to it, and get a copy
            return self._preloaded.snapshot
        return None

    def make_indexes(self) -> None:
        """Make the search indexes of what was preloaded, for other processes; may take minutes."""
        edition = self._preloaded
        if edition and edition.passages and self._passage_indexes:
            self._passage_indexes.settled(edition.passages.pages, edition.vocabulary)
        if edition and edition.posts and self._post_indexes:
            self._post_indexes.settled(edition.posts.pages, edition.vocabulary)

    def reload(self, changed: Collection[str] | None = None) -> None:
        """Load changed files and replace the edition. Blocks; thread-safe.

        Without `changed`, the whole folder is scanned. The last edition stays if nothing has
        changed, if the folder cannot be read, or if most documents are gone.
        """
        with self._lock:
            previous = self._current.content if self._current else None
            read_at_ns = time_ns()
            try:
                # If the last load was held back, `changed` is incomplete.
                paths = None if self._guard.held else changed
                loaded = self._folder.read(previous, paths) if previous else self._read_first()
            except OSError as error:
                reason = error.strerror or type(error).__name__
                problem = f"The content folder cannot be read: {reason.lower()}."
                if problem != self._unreadable:  # it is tried again twice a second
                    log.error("%s Set CONTENT_DIR or CONTENT_GIT.", problem)
                self._unreadable = problem
                return
            if self._unreadable:
                log.info("The content folder can be read again.")
            self._unreadable = None
            self._reloads += 1
            self._read_at = monotonic()
            content = self._guard.choose(previous, loaded, read_at_ns)
            if content is previous:
                return
            _log_new_diagnostics(previous, content)
            edition = self._with_diagrams(self._next_edition(content))
            before = self._current
            edits = before.edits.after(self._touched(before, content)) if before else Edits()
            self._current = replace(edition, edits=edits, folder=self._folder.resolved)
            self._forget_stale(previous, content)

    def start_at(self, folder: Path) -> None:
        """Read the first edition from this folder, whatever has been loaded from another one."""
        with self._lock:
            source = self._folder
            if source.resolved != folder:
                source, self._preloaded = source.another(folder), None
            source.path = folder
            self._move_to(source, folder)

    def prepare(self, folder: Path) -> PreparedEdition:
        """Return the edition of another folder, to be shown by `show`. Blocks; raises OSError."""
        current = self.current
        source = self._folder.another(folder)
        content = source.read(current.content, None)
        edition = replace(self._next_edition(content), folder=source.resolved)
        difference = self._touched(current, content)
        _log_new_diagnostics(current.content, content)
        return PreparedEdition(edition, source, current, difference)

    def show(self, prepared: PreparedEdition, at: float = 0.0) -> None:
        """Show a prepared edition from an instant of `time.monotonic` on.

        Whoever asks for the current one then replaces it, in milliseconds, so that no delay of a
        timer counts. Thread-safe.
        """
        self._next = at, prepared

    def _show_next(self) -> None:
        with self._lock:
            if self._next is None:
                return  # another thread was faster
            _, prepared = self._next
            self._next = None
            before, edition, difference = self._current, prepared.edition, prepared.touched
            if before is None:
                return
            if not before.has_same_indexes(prepared.previous):  # made meanwhile
                edition = replace(self._next_edition(edition.content), folder=edition.folder)
            if before.content is not prepared.previous.content:  # edited meanwhile
                difference = self._touched(before, edition.content)
            edits = before.edits.after(difference)
            self._current = replace(self._with_diagrams(edition), edits=edits)
            self._move_to(prepared.source, edition.folder)
            self._unreadable, self._read_at = None, monotonic()
            self._reloads += 1
            self._forget_stale(before.content, edition.content)

    def _move_to(self, source: ContentFolder, folder: Path) -> None:
        self._folder, self.content_dir = source, folder
        self._guard = DeletionGuard(folder)

    def _forget_stale(self, previous: LoadedContent | None, content: LoadedContent) -> None:
        """Clear the document caches if they hold much of past editions."""
        self._stale_bytes += stale_bytes(previous, content) if previous else 0
        if self._stale_bytes > _MAX_STALE_BYTES:
            clear_document_caches()
            self._stale_bytes = 0

    def show_diagrams(self, drawn: Mapping[str, tuple[int, int]]) -> None:
        """Show these diagrams instead of their code: sizes by file name. Blocks; thread-safe."""
        with self._lock:
            keys = frozenset((DIAGRAM, name) for name in drawn.keys() ^ self._diagrams.keys())
            self._diagrams, edition = drawn, self._current
            if edition is not None and keys:
                edits = edition.edits.after(Touched(keys))
                self._current = replace(self._with_diagrams(edition), edits=edits)

    def _with_diagrams(self, edition: Edition) -> Edition:
        """Return the edition with the diagrams that have been drawn."""
        if whole(edition.snapshot.diagrams) == self._diagrams:
            return edition
        drawn = ObservedMapping(DIAGRAM, self._diagrams)
        snapshot = replace(edition.snapshot, diagrams=drawn)
        return replace(edition, content=replace(edition.content, snapshot=snapshot))

    def rescan(self) -> None:
        """Scan the whole folder, and reload what differs from the edition. Blocks; thread-safe.

        Unlike a reload of everything it delays no edit meanwhile.
        """
        edition = self._current
        if edition is None:
            return
        try:
            missed = self._folder.missed(edition.content)
        except OSError:
            missed = None  # the reload reports it
        if missed is None or missed:
            self.reload(missed)

    def _read_first(self) -> LoadedContent:
        """Load everything, and build the post indexes before the first request needs them."""
        if self._preloaded is not None:
            return self._preloaded.content
        with memory.gc_frozen():
            content = self._folder.read(None, None)
            for locale in content.snapshot.open_locales:
                content.snapshot.posts(locale)
            return content

    def _next_edition(self, content: LoadedContent) -> Edition:
        before = self._current
        if before is None:
            first, self._preloaded = self._preloaded or self._first_edition(content), None
            return self._with_indexes(first)
        vocabulary = before.vocabulary
        if vocabulary.lists != content.word_lists:
            vocabulary = Vocabulary(content.word_lists)
        if self._passage_indexes is None or not before.passages or not before.posts:
            return Edition(content, vocabulary)
        pages = self._passage_indexes.pages(content.snapshot, before.passages.pages)
        listed, similar = SearchPosts.of(pages), before.similar
        if not have_same_keys(before.passages.pages.versions, pages.versions):
            similar = similar.updated(pages.versions)
        return Edition(
            content,
            vocabulary,
            before.passages.updated(pages, vocabulary),
            before.posts.updated(listed, vocabulary),
            similar,
        )

    def _first_edition(self, content: LoadedContent) -> Edition:
        """Return the first edition, without its indexes, which have threads."""
        vocabulary = Vocabulary(content.word_lists)
        if self._passage_indexes is None or self._post_indexes is None:
            return Edition(content, vocabulary)
        with memory.gc_frozen():
            pages = self._passage_indexes.pages(content.snapshot)
            return Edition(
                content,
                vocabulary,
                EditionPassages(pages, vocabulary, self._passage_indexes.settled),
                EditionPosts(SearchPosts.of(pages), vocabulary, self._post_indexes.settled),
                NearestPaths(pages.versions),
            )

    def _with_indexes(self, edition: Edition) -> Edition:
        """Return the first edition with the indexes that are in the folder."""
        passages, posts = edition.passages, edition.posts
        if not (self._passage_indexes and passages and self._post_indexes and posts):
            return edition
        return replace(
            edition,
            page_passages=replace(
                passages, index=self._passage_indexes.open(passages.pages, passages.vocabulary)
            ),
            blog_posts=replace(posts, index=self._post_indexes.open(posts.pages, posts.vocabulary)),
        )

    def _touched(self, before: Edition, content: LoadedContent) -> Touched:
        """Return what differs between an edition and the next content."""
        keys, snapshot = touched(before.content, content), before.snapshot
        return with_shared_results(keys, snapshot, content.snapshot, self._clock())

    @property
    def is_settled(self) -> bool:
        """Whether the search indexes need no compaction."""
        edition = self._current
        if edition is None:
            return True
        parts = (edition.posts, edition.passages)
        are_settled = all(part is None or part.is_settled for part in parts)
        return edition.similar.is_prepared and are_settled and self._has_vectors(edition.passages)

    def compact(self, yield_cpu: YieldCPU) -> None:
        """Keep parsed files; make new search indexes if much has changed, using the old meanwhile.

        Blocks for seconds with thousands of posts, and calls `yield_cpu` regularly. Content loaded
        in the meantime is added to the new indexes afterwards.
        """

        def progress(done: int, _: int) -> None:
            if done % _PAGES_PER_YIELD == 0:
                yield_cpu()

        with self._compacting:
            if self._current is not None:
                self._current.similar.prepare(yield_cpu)
            self._compact_posts(progress)
            self._compact_passages(progress)
            if self._current is not None:
                self._folder.keep_parsed(self._current.content, yield_cpu)
            self._make_vectors(yield_cpu)
        return_free_memory()

    def _compact_posts(self, progress: Progress) -> None:
        posts = self._current.posts if self._current else None
        if posts is None or posts.is_settled or self._post_indexes is None:
            return
        index = self._post_indexes.settled(posts.pages, posts.vocabulary, progress)
        made = replace(posts, index=index)
        with self._lock:
            edition = self.current
            current = edition.posts.pages if edition.posts else made.pages
            self._current = replace(
                edition,
                blog_posts=made.updated(current, edition.vocabulary),
                edits=edition.edits.after(INDEXES),
            )

    def _compact_passages(self, progress: Progress) -> None:
        passages = self._current.passages if self._current else None
        if passages is None or passages.is_settled or self._passage_indexes is None:
            return
        pages = self._passage_indexes.pages(passages.pages.snapshot, passages.pages)
        if passages.index is None:
            log.info("Preparing the search of %d pages", len(pages.versions))
        index = self._passage_indexes.settled(pages, passages.vocabulary, progress)
        made = replace(passages, pages=pages, index=index)
        with self._lock:
            edition = self.current
            current = self._passage_indexes.pages(edition.snapshot, pages)
            made = made.updated(current, edition.vocabulary)
            self._current = replace(edition, page_passages=made, edits=edition.edits.after(INDEXES))

    def _has_vectors(self, passages: EditionPassages | None) -> bool:
        """Return whether no text lacks a vector, if meaning counts."""
        return self._meaning is None or passages is None or self._meaning.covers(passages.pages)

    def _make_vectors(self, yield_cpu: YieldCPU) -> None:
        passages = self._current.passages if self._current else None
        if self._meaning is None or passages is None or self._has_vectors(passages):
            return
        self._meaning.complete(passages.pages, lambda *_: yield_cpu())
        if self._has_vectors(passages):  # else another process makes them
            with self._lock:
                edition = self.current
                self._current = replace(edition, edits=edition.edits.after(INDEXES))


def _log_new_diagnostics(previous: LoadedContent | None, content: LoadedContent) -> None:
    """Log new errors and warnings, and what is not read; other notices are for `majlis check`."""
    logged = set(previous.diagnostics) if previous else set()
    problems = [each for each in content.diagnostics if each.severity is not Severity.NOTICE]
    for diagnostic in problems:
        if diagnostic not in logged:
            level = logging.ERROR if diagnostic.severity is Severity.ERROR else logging.WARNING
            log.log(level, "%s", diagnostic)
    for notice in ignored_files(content.scanned):
        if notice not in logged:
            log.info("%s", notice)
    log.info("Loaded %d content files (%d problems)", len(content.files), len(problems))
