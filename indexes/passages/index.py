"""The index of all passages: an immutable base, and a small delta with the pages edited since.

An edit creates another `PassageIndex`, which shares the base and the analysed passages of earlier
edits. A search sees the edition of its index only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from indexes.bases import EditedPages, IndexFolder, Progress, Source, is_small, no_progress
from indexes.passages.analysis import Analyzer
from indexes.passages.passage import (
    AnalysedPassage,
    Pages,
    SearchScope,
    analysed,
    open_index,
    write_index,
)
from indexes.passages.ranking import Meaning
from indexes.passages.search import PassageSearch, SearchResult
from indexes.passages.segment import PassageSegment, WordCollector
from indexes.text.words import Vocabulary

Groups = Iterable[Iterable[str]]
"""Groups of words and phrases with the same meaning."""


@dataclass(frozen=True, slots=True)
class PassageBase:
    """A segment, and the version of each page in it."""

    segment: PassageSegment
    versions: Mapping[str, str]


class PassageIndex:
    """Finds passages by their words. It never changes: `updated` returns the next one."""

    def __init__(
        self,
        base: PassageBase,
        analyzer: Analyzer,
        edits: EditedPages[AnalysedPassage],
        versions: Mapping[str, str],
        synonyms: Groups = (),
        meaning: Meaning | None = None,
    ) -> None:
        self.vocabulary = analyzer.vocabulary
        self.versions = versions
        """The version of each page in the index."""
        self._base = base
        self._analyzer = analyzer
        self._edits = edits
        self._meaning = meaning
        segments = [base.segment.without(edits.outdated)]
        if edits.edited:
            segments.append(_segment_in_memory(edits.texts))
        self._search = PassageSearch(segments, analyzer, synonyms, meaning)

    def find(self, query: str, scope: SearchScope, limit: int, page_limit: int = 3) -> SearchResult:
        """Return the passages that fit a query best, at most `page_limit` of one page.

        Only passages that the reader may see at the reader's instant are found.
        """
        return self._search.find(query, scope, limit, page_limit)

    def updated(self, pages: Pages, synonyms: Groups = ()) -> PassageIndex:
        """Return the index of other pages on the same base.

        `synonyms` are those that its analyzer does not know.
        """

        def analysed_passages(page: str) -> Iterator[AnalysedPassage]:
            return (analysed(passage, self._analyzer) for passage in pages.passages(page))

        edits = self._edits.next(
            self._base.versions, self.versions, pages.versions, analysed_passages
        )
        return self._next(edits, pages.versions, synonyms)

    def with_synonyms(self, synonyms: Groups) -> PassageIndex:
        """Return the index of the same pages, with other synonyms besides its analyzer's."""
        return self._next(self._edits, self.versions, synonyms)

    def _next(
        self, edits: EditedPages[AnalysedPassage], versions: Mapping[str, str], synonyms: Groups
    ) -> PassageIndex:
        return PassageIndex(self._base, self._analyzer, edits, versions, synonyms, self._meaning)

    @property
    def passages(self) -> int:
        """The number of passages."""
        return self._search.passages

    @property
    def is_settled(self) -> bool:
        """Whether the delta is so small that no new base is due."""
        return is_small(len(self._edits), len(self._base.versions))


def index_of(base: PassageBase, analyzer: Analyzer, meaning: Meaning | None = None) -> PassageIndex:
    """Return the index of what a base holds."""
    return PassageIndex(base, analyzer, EditedPages.none(), base.versions, (), meaning)


def _segment_in_memory(passages: Iterable[AnalysedPassage]) -> PassageSegment:
    words, passages = WordCollector(), list(passages)
    index = write_index(words.collected(passages))
    return PassageSegment(index, words.write(), sum(passage.length for passage in passages))


@dataclass(slots=True)
class Writing:
    """The writing of a base, and the sum of the lengths of the passages written so far."""

    pages: Pages
    analyzer: Analyzer
    progress: Progress
    length: int = 0

    def write(self, passages_folder: Path | None, words_folder: Path | None) -> PassageBase:
        """Write all passages and their words into empty folders, or to memory."""
        words = WordCollector()
        index = write_index(words.collected(self._analysed()), passages_folder)
        segment = PassageSegment(index, words.write(words_folder), self.length)
        return PassageBase(segment, dict(self.pages.versions))

    def _analysed(self) -> Iterator[AnalysedPassage]:
        total = len(self.pages.versions)
        for done, page in enumerate(sorted(self.pages.versions), start=1):
            for passage in self.pages.passages(page):
                passage_analysed = analysed(passage, self.analyzer)
                self.length += passage_analysed.length
                yield passage_analysed
            self.progress(done, total)


_PASSAGES, _WORDS, _LENGTH = "passages", "words", "length"


class PassageEngine:
    """Writes and opens bases with tantivy, in the terms of one analyzer."""

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer = analyzer

    @property
    def digest(self) -> str:
        """Names software and analysis."""
        return f"{version('tantivy')} {self._analyzer.digest}"

    def write(self, pages: Pages, folder: Path | None, progress: Progress) -> PassageBase:
        """Write a base to an empty folder, or to memory."""
        writing = Writing(pages, self._analyzer, progress)
        if folder is None:
            return writing.write(None, None)
        for part in (_PASSAGES, _WORDS):
            (folder / part).mkdir()
        base = writing.write(folder / _PASSAGES, folder / _WORDS)
        (folder / _LENGTH).write_text(str(writing.length))
        return base

    def open(self, folder: Path, versions: Mapping[str, str]) -> PassageBase:
        """Open the base of these pages; raise OSError or ValueError if it is damaged."""
        length = int((folder / _LENGTH).read_text())
        passages, words = open_index(folder / _PASSAGES), open_index(folder / _WORDS)
        return PassageBase(PassageSegment(passages, words, length), versions)


class PassageFolder:
    """Opens and makes the indexes of one folder, in the terms of one analyzer."""

    def __init__(
        self,
        path: Path,
        analyzer: Analyzer,
        meaning: Meaning | None = None,
        source: Source | None = None,
    ) -> None:
        self._path = path
        self._source = source
        self._analyzer = analyzer
        self._meaning = meaning

    def open(self, pages: Pages) -> PassageIndex | None:
        """Open the index of these pages; None if there is no base that it can be made from.

        It only reads and takes milliseconds, apart from analysing the pages that differ.
        """
        base = IndexFolder(self._path, PassageEngine(self._analyzer)).open(pages)
        return index_of(base, self._analyzer, self._meaning).updated(pages) if base else None

    def put(self, pages: Pages, target: Source) -> None:
        """Add the base of exactly these pages, which is in the folder, to a source."""
        IndexFolder(self._path, PassageEngine(self._analyzer)).put(pages, target)

    def make(self, pages: Pages, progress: Progress = no_progress) -> PassageIndex:
        """Open the base of exactly these pages, fetch or make it, and delete all others."""
        # An analyzer of its own: the words cached while the base is made are not kept.
        making = PassageEngine(Analyzer(Vocabulary(self._analyzer.vocabulary.lists)))
        base = IndexFolder(self._path, making, self._source).make(pages, progress)
        return index_of(base, self._analyzer, self._meaning).updated(pages)
