"""The indexes of an edition: opened or made on disk, and updated; and that of its passages.

Little is indexed before the first request. Much is indexed in the background, as is what changes
too much at once; until then an older index is used, of which only pages count that have not
changed since.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, Generic, NamedTuple, Protocol, Self, TypeVar

from app.platform.clock import Clock, utc_now
from app.publishing.content.search_pages import SearchPages, own_passages, search_pages, text_of
from indexes.bases import Progress, Versioned, differences, no_progress
from indexes.passages.analysis import Analyzer
from indexes.passages.index import PassageFolder, PassageIndex
from indexes.text.words import Vocabulary
from knowledge.addresses.addresses import Address
from knowledge.resources.passages import Passage
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView

_MAX_TEXTS = 512
"""The number of pages to keep as they were cut for their readers."""


_Texts = Callable[[ContentView, Address], Sequence["FoundText"]]


class FoundText(NamedTuple):
    """A passage with the digest of what is searched of it."""

    passage: Passage
    digest: str


def _cached_texts() -> _Texts:
    """Return the function that cuts pages; it keeps what it cut last."""
    return lru_cache(_MAX_TEXTS)(_cut)


def _cut(view: ContentView, address: Address) -> Sequence[FoundText]:
    cut = own_passages(view, address)
    return [FoundText(passage, text_of(passage, view).digest) for passage in cut]


PagesT = TypeVar("PagesT", bound=Versioned)
PagesT_contra = TypeVar("PagesT_contra", bound=Versioned, contravariant=True)


class Index(Protocol[PagesT_contra]):
    """An index of pages, which never changes; `versions` are those of the pages in it."""

    vocabulary: Vocabulary
    versions: Mapping[str, str]

    @property
    def is_settled(self) -> bool:
        """Whether most of its pages are in its base."""

    def updated(self, pages: PagesT_contra, synonyms: Iterable[Iterable[str]] = ()) -> Self:
        """Return the index of other pages; `synonyms` are those that its vocabulary lacks."""

    def with_synonyms(self, synonyms: Iterable[Iterable[str]]) -> Self:
        """Return the index of the same pages, with other synonyms besides its vocabulary's."""


IndexT = TypeVar("IndexT", bound=Index)  # type: ignore[type-arg]  # of the pages beside it


@dataclass(frozen=True, eq=False)
class EditionIndex(Generic[PagesT, IndexT]):
    """The pages of an edition and the index in which they are found; None until there is one."""

    pages: PagesT
    vocabulary: Vocabulary
    index: IndexT | None = None

    MANY_EDITS: ClassVar[int]
    """More pages than these are not analysed while an edit waits to be live."""

    @property
    def is_settled(self) -> bool:
        """Whether the index has exactly these pages, most of them in its base."""
        if self.index is None or self.index.vocabulary is not self.vocabulary:
            return False
        return self._has_all and self.index.is_settled

    @property
    def _has_all(self) -> bool:
        """Whether the index has these pages and no others."""
        return self.index is not None and self.index.versions is self.pages.versions

    def is_unchanged(self, page: str) -> bool:
        """Return whether a page is the same as in the index."""
        if self._has_all or self.index is None:
            return self._has_all
        version = self.index.versions.get(page)
        return version is not None and version == self.pages.versions.get(page)

    def updated(self, pages: PagesT, vocabulary: Vocabulary) -> Self:
        """Return the index of the next edition, without edits that take too long to analyse."""
        index = self.index
        if index is not None:
            synonyms = () if index.vocabulary is vocabulary else vocabulary.lists.groups
            is_much = differences(index.versions, pages.versions) > self.MANY_EDITS
            index = index.with_synonyms(synonyms) if is_much else index.updated(pages, synonyms)
        return replace(self, pages=pages, vocabulary=vocabulary, index=index)


@dataclass(frozen=True, eq=False)
class EditionPassages(EditionIndex[SearchPages, PassageIndex]):
    """The pages of an edition and the index in which their passages are found."""

    MANY_EDITS: ClassVar[int] = 500

    _texts: _Texts = field(default_factory=_cached_texts, init=False, repr=False)

    def texts(self, view: ContentView, address: Address) -> Sequence[FoundText]:
        """Return the passages of a page that are searched, as the readers of a view see them."""
        return self._texts(view.at(view.snapshot.last_change_at(view.now)), address)


class EditionIndexes(ABC, Generic[PagesT, IndexT]):
    """Opens and makes the indexes of one folder."""

    MANY_PAGES: ClassVar[int] = 2_000
    """The number of pages from which the first index is made in the background."""

    def first(self, pages: PagesT, vocabulary: Vocabulary) -> IndexT | None:
        """Return the first index: that of the folder, or a new one if there are few pages."""
        index = self.open(pages, vocabulary)
        if index is None and len(pages.versions) <= self.MANY_PAGES:
            index = self.make(pages, vocabulary)
        return index

    def settled(self, pages: PagesT, vocabulary: Vocabulary, progress: Progress) -> IndexT:
        """Return the index of these pages, most of them in its base; may take minutes.

        `progress` may raise to abandon it.
        """
        return self.open(pages, vocabulary) or self.make(pages, vocabulary, progress)

    @abstractmethod
    def open(self, pages: PagesT, vocabulary: Vocabulary) -> IndexT | None:
        """Open the index of these pages; None if there is no base that it can be made from."""

    @abstractmethod
    def make(
        self, pages: PagesT, vocabulary: Vocabulary, progress: Progress = no_progress
    ) -> IndexT:
        """Make the index of these pages; with many it takes minutes."""


class PassageIndexes(EditionIndexes[SearchPages, PassageIndex]):
    """Opens and makes the indexes of passages in one folder."""

    def __init__(self, folder: Path, clock: Clock = utc_now) -> None:
        self._folder = folder
        self._clock = clock

    def pages(self, snapshot: Snapshot, before: SearchPages | None = None) -> SearchPages:
        """Return the pages of a snapshot to index from now on; see `search_pages`."""
        return search_pages(snapshot, self._clock(), before)

    def open(self, pages: SearchPages, vocabulary: Vocabulary) -> PassageIndex | None:
        """Open the index of these pages; None if there is no base that it can be made from."""
        return PassageFolder(self._folder, Analyzer(vocabulary)).open(pages)

    def make(
        self, pages: SearchPages, vocabulary: Vocabulary, progress: Progress = no_progress
    ) -> PassageIndex:
        """Make the index of these pages; with many it takes minutes."""
        return PassageFolder(self._folder, Analyzer(vocabulary)).make(pages, progress)
