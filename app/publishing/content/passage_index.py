"""The index of the passages of all pages, of an edition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, NamedTuple

from app.platform.clock import Clock, utc_now
from app.publishing.content.edition_index import EditionIndex, EditionIndexes
from app.publishing.content.search_pages import SearchPages, own_passages, search_pages, text_of
from indexes.bases.folder import Progress, no_progress
from indexes.passages.analysis import Analyzer
from indexes.passages.index import PassageFolder, PassageIndex
from indexes.text.vocabulary import Vocabulary
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


@dataclass(frozen=True, eq=False)
class EditionPassages(EditionIndex[SearchPages, PassageIndex]):
    """The pages of an edition and the index in which their passages are found."""

    MANY_EDITS: ClassVar[int] = 500

    _texts: _Texts = field(default_factory=_cached_texts, init=False, repr=False)

    def texts(self, view: ContentView, address: Address) -> Sequence[FoundText]:
        """Return the passages of a page that are searched, as the readers of a view see them."""
        return self._texts(view.at(view.snapshot.last_change_at(view.now)), address)


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
