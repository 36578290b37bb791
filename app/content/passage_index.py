"""The passage index of an edition: opened or made on disk, and updated at each edit.

Little content is indexed before the first request. Much is indexed in the background, as is what
changes too much at once; until then an older index is used, of which only hits count that the
pages still have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from app.clock import Clock
from app.content.search_pages import SearchPages, search_pages
from indexes.passages.analysis import Analyzer
from indexes.passages.folder import IndexFolder
from indexes.passages.index import PassageIndex, Progress
from indexes.vocabulary import Vocabulary
from knowledge.loading import LoadedContent

MUCH_CONTENT = 2_000
"""The number of pages from which the first index is made in the background."""
_MANY_EDITS = 500
"""More pages than these are not analysed while an edit waits to be live."""


@dataclass(frozen=True, eq=False, slots=True)
class EditionPassages:
    """The pages of an edition and the index in which they are found; None until there is one.

    `indexed` has the versions of the pages in the index.
    """

    pages: SearchPages
    vocabulary: Vocabulary
    index: PassageIndex | None = None
    indexed_vocabulary: Vocabulary | None = None
    indexed: Mapping[str, str] | None = None

    @property
    def is_settled(self) -> bool:
        """Whether the index has these pages, most of them in its base."""
        return self.is_current and self.index is not None and self.index.is_settled

    @property
    def is_current(self) -> bool:
        """Whether the index has exactly these pages."""
        is_same_language = self.indexed_vocabulary is self.vocabulary
        return is_same_language and self.indexed == self.pages.versions


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
            index = folder.make(pages)
        return _indexed(pages, vocabulary, index)

    def next(
        self, before: EditionPassages, content: LoadedContent, vocabulary: Vocabulary
    ) -> EditionPassages:
        """Return the index of the next edition, without pages that take too long to analyse."""
        pages = search_pages(content.snapshot, self._clock(), before.pages)
        if before.index is None or before.indexed_vocabulary is not vocabulary:
            return replace(before, pages=pages, vocabulary=vocabulary)
        differences = (before.indexed or {}).items() ^ pages.versions.items()
        if len(differences) > 2 * _MANY_EDITS:
            return replace(before, pages=pages)
        return _indexed(pages, vocabulary, before.index.updated(pages))

    def settled(self, passages: EditionPassages, progress: Progress) -> EditionPassages:
        """Return the same pages in a base of their own; may take minutes.

        `progress` may raise to abandon it.
        """
        pages = replace(passages.pages, now=self._clock())
        folder = self._index_folder(passages.vocabulary)
        index = folder.open(pages) or folder.make(pages, progress)
        return _indexed(pages, passages.vocabulary, index)

    def _index_folder(self, vocabulary: Vocabulary) -> IndexFolder:
        return IndexFolder(self._folder, Analyzer(vocabulary))


def _indexed(
    pages: SearchPages, vocabulary: Vocabulary, index: PassageIndex | None
) -> EditionPassages:
    if index is None:
        return EditionPassages(pages, vocabulary)
    return EditionPassages(pages, vocabulary, index, vocabulary, pages.versions)
