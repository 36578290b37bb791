"""The index of all passages: an immutable base, and a small delta with the pages edited since.

An edit creates another `PassageIndex`, which shares the base and the analysed passages of earlier
edits. A search sees the edition of its index only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from indexes.bases.edits import Edits, is_small
from indexes.bases.folder import Progress
from indexes.passages.analysis import Analyzer
from indexes.passages.fields import AnalysedPassage, analysed, write_index
from indexes.passages.lexicon import Lexicon, Words
from indexes.passages.passage import Pages, Reader
from indexes.passages.search import PassageSearch, SearchResult
from indexes.passages.segment import Segment

Groups = Iterable[Iterable[str]]
"""Groups of words and phrases with the same meaning."""


@dataclass(frozen=True, slots=True)
class Base:
    """A segment with its words, and the version of each page in it."""

    segment: Segment
    lexicon: Lexicon
    versions: Mapping[str, str]


class PassageIndex:
    """Finds passages by their words. It never changes: `updated` returns the next one."""

    def __init__(
        self,
        base: Base,
        analyzer: Analyzer,
        edits: Edits[AnalysedPassage],
        versions: Mapping[str, str],
        synonyms: Groups = (),
    ) -> None:
        self.vocabulary = analyzer.vocabulary
        self.versions = versions
        """The version of each page in the index."""
        self._base = base
        self._analyzer = analyzer
        self._edits = edits
        segments, lexicons = [base.segment.without(edits.outdated)], [base.lexicon]
        if edits.edited:
            segment, lexicon = _delta(edits.texts)
            segments.append(segment)
            lexicons.append(lexicon)
        self._search = PassageSearch(segments, lexicons, analyzer, synonyms)

    def find(self, query: str, reader: Reader, limit: int, page_limit: int = 3) -> SearchResult:
        """Return the passages that fit a query best, at most `page_limit` of one page.

        Only passages that the reader may see at the reader's instant are found.
        """
        return self._search.find(query, reader, limit, page_limit)

    def updated(self, pages: Pages, synonyms: Groups = ()) -> PassageIndex:
        """Return the index of other pages on the same base.

        `synonyms` are those that its analyzer does not know.
        """

        def analysed_passages(page: str) -> Iterator[AnalysedPassage]:
            return (analysed(passage, self._analyzer) for passage in pages.passages(page))

        edits = self._edits.next(
            self._base.versions, self.versions, pages.versions, analysed_passages
        )
        return PassageIndex(self._base, self._analyzer, edits, pages.versions, synonyms)

    def with_synonyms(self, synonyms: Groups) -> PassageIndex:
        """Return the index of the same pages, with other synonyms besides its analyzer's."""
        return PassageIndex(self._base, self._analyzer, self._edits, self.versions, synonyms)

    @property
    def passages(self) -> int:
        """The number of passages."""
        return self._search.passages

    @property
    def is_settled(self) -> bool:
        """Whether the delta is so small that no new base is due."""
        return is_small(len(self._edits), len(self._base.versions))


def index_of(base: Base, analyzer: Analyzer) -> PassageIndex:
    """Return the index of what a base holds."""
    return PassageIndex(base, analyzer, Edits.none(), base.versions)


def _delta(passages: Iterable[AnalysedPassage]) -> tuple[Segment, Lexicon]:
    words, passages = Words(), list(passages)
    index = write_index(words.collected(passages))
    return Segment(index, sum(passage.length for passage in passages)), Lexicon(words.write())


@dataclass(slots=True)
class Writing:
    """The writing of a base, and the sum of the lengths of the passages written so far."""

    pages: Pages
    analyzer: Analyzer
    progress: Progress
    length: int = 0

    def write(self, passages_folder: Path | None, words_folder: Path | None) -> Base:
        """Write all passages and their words into empty folders, or to memory."""
        words = Words()
        index = write_index(words.collected(self._analysed()), passages_folder)
        lexicon = Lexicon(words.write(words_folder))
        return Base(Segment(index, self.length), lexicon, dict(self.pages.versions))

    def _analysed(self) -> Iterator[AnalysedPassage]:
        total = len(self.pages.versions)
        for done, page in enumerate(sorted(self.pages.versions), start=1):
            for passage in self.pages.passages(page):
                passage_analysed = analysed(passage, self.analyzer)
                self.length += passage_analysed.length
                yield passage_analysed
            self.progress(done, total)
