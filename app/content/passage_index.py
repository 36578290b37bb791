"""The passage index of an edition: opened or made on disk, and updated at each edit.

Little content is indexed before the first request. Much is indexed in the background, as is what
changes too much at once; until then an older index is used, of which only hits count that the
pages still have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from app.clock import Clock
from app.content.search_pages import SearchPages, own_passages, search_pages, text_of
from indexes.folder import Progress, no_progress
from indexes.passages.analysis import Analyzer
from indexes.passages.folder import IndexFolder
from indexes.passages.index import PassageIndex
from indexes.vocabulary import Vocabulary
from knowledge.addresses import Address
from knowledge.content_view import ContentView
from knowledge.loading import LoadedContent
from knowledge.passages import Passage

MUCH_CONTENT = 2_000
"""The number of pages from which the first index is made in the background."""
_MANY_EDITS = 500
"""More pages than these are not analysed while an edit waits to be live."""
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


@dataclass(frozen=True, eq=False, slots=True)
class EditionPassages:
    """The pages of an edition and the index in which they are found; None until there is one.

    `indexed` has the versions of the pages in the index, `indexed_vocabulary` its words.
    """

    pages: SearchPages
    vocabulary: Vocabulary
    index: PassageIndex | None = None
    indexed_vocabulary: Vocabulary | None = None
    indexed: Mapping[str, str] = field(default_factory=dict)
    is_current: bool = False
    """Whether the index has exactly these pages."""

    _texts: _Texts = field(default_factory=_cached_texts, init=False, repr=False)

    @property
    def is_settled(self) -> bool:
        """Whether the index has these pages, most of them in its base."""
        return self.is_current and self.index is not None and self.index.is_settled

    def is_unchanged(self, page: str) -> bool:
        """Return whether a page is the same as in the index."""
        version = self.indexed.get(page)
        return version is not None and version == self.pages.versions.get(page)

    def texts(self, view: ContentView, address: Address) -> Sequence[FoundText]:
        """Return the passages of a page that are searched, as the readers of a view see them."""
        return self._texts(view.at(view.snapshot.last_change_at(view.now)), address)


class PassageIndexes:
    """Opens and makes the indexes of one folder."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self._folder = folder
        self._clock = clock

    def first(self, content: LoadedContent, vocabulary: Vocabulary) -> EditionPassages:
        """Return the first index: that of the folder, or a new one if there is little content."""
        pages = search_pages(content.snapshot, self._clock())
        folder = self._index_folder(vocabulary)
        index = folder.open(pages)
        if index is None and len(pages.versions) <= MUCH_CONTENT:
            index = self._made(pages, vocabulary, no_progress)
        return _indexed(pages, vocabulary, index)

    def next(
        self, before: EditionPassages, content: LoadedContent, vocabulary: Vocabulary
    ) -> EditionPassages:
        """Return the index of the next edition, without pages that take too long to analyse."""
        pages = search_pages(content.snapshot, self._clock(), before.pages)
        current = replace(before, pages=pages, vocabulary=vocabulary, is_current=False)
        if before.index is None:
            return current
        is_same_analysis = before.indexed_vocabulary is vocabulary
        synonyms = () if is_same_analysis else vocabulary.lists.groups
        if len(before.indexed.items() ^ pages.versions.items()) > 2 * _MANY_EDITS:
            return replace(current, index=before.index.with_synonyms(synonyms))
        index = before.index.updated(pages, synonyms)
        return replace(current, index=index, indexed=pages.versions, is_current=is_same_analysis)

    def settled(self, passages: EditionPassages, progress: Progress) -> EditionPassages:
        """Return the same pages in a base of their own; may take minutes.

        `progress` may raise to abandon it.
        """
        pages = replace(passages.pages, now=self._clock())
        index = self._index_folder(passages.vocabulary).open(pages)
        index = index or self._made(pages, passages.vocabulary, progress)
        return _indexed(pages, passages.vocabulary, index)

    def _made(self, pages: SearchPages, vocabulary: Vocabulary, progress: Progress) -> PassageIndex:
        """Make an index and open it, without the words that the making has cached."""
        made = self._index_folder(Vocabulary(vocabulary.lists)).make(pages, progress)
        return self._index_folder(vocabulary).open(pages) or made

    def _index_folder(self, vocabulary: Vocabulary) -> IndexFolder:
        return IndexFolder(self._folder, Analyzer(vocabulary))


def _indexed(
    pages: SearchPages, vocabulary: Vocabulary, index: PassageIndex | None
) -> EditionPassages:
    if index is None:
        return EditionPassages(pages, vocabulary)
    return EditionPassages(pages, vocabulary, index, vocabulary, pages.versions, is_current=True)
