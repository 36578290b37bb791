"""The index of all passages: an immutable base, and a small delta with the pages edited since.

An edit creates another `PassageIndex`, which shares the base and the analysed passages of earlier
edits. A search sees the edition of its index only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from indexes.passages.analysis import Analyzer
from indexes.passages.fields import AnalysedPassage, analysed, write_index
from indexes.passages.lexicon import Lexicon, Words
from indexes.passages.passage import Pages, Reader
from indexes.passages.search import PassageSearch, SearchResult
from indexes.passages.segment import Segment

_FEW_PAGES = 100
_SMALL_SHARE = 0.02
"""A new base is due if the delta exceeds both: pages, and share of the pages of the base."""

Groups = Iterable[Iterable[str]]
"""Groups of words and phrases with the same meaning."""

Progress = Callable[[int, int], None]
"""Called during a build with the number of analysed pages and of all pages."""


def no_progress(done: int, total: int) -> None:
    """Ignore the progress of a build."""


@dataclass(frozen=True, slots=True)
class Base:
    """A segment with its words, and the version of each page in it."""

    segment: Segment
    lexicon: Lexicon
    versions: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Edited:
    """A page that differs from the base."""

    version: str
    passages: tuple[AnalysedPassage, ...]


class PassageIndex:
    """Finds passages by their words. It never changes: `updated` returns the next one."""

    def __init__(
        self,
        base: Base,
        analyzer: Analyzer,
        edited: Mapping[str, _Edited],
        removed: frozenset[str],
        synonyms: Groups = (),
    ) -> None:
        self._base = base
        self._analyzer = analyzer
        self._edited = edited
        self._removed = removed
        segments, lexicons = [base.segment.without(edited.keys() | removed)], [base.lexicon]
        if edited:
            segment, lexicon = _delta(edited.values())
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
        versions, before = pages.versions, self._base.versions
        edited = {
            page: self._edition(pages, page, version)
            for page, version in versions.items()
            if before.get(page) != version
        }
        removed = frozenset(before.keys() - versions.keys())
        return PassageIndex(self._base, self._analyzer, edited, removed, synonyms)

    def with_synonyms(self, synonyms: Groups) -> PassageIndex:
        """Return the index of the same pages, with other synonyms besides its analyzer's."""
        return PassageIndex(self._base, self._analyzer, self._edited, self._removed, synonyms)

    def _edition(self, pages: Pages, page: str, version: str) -> _Edited:
        known = self._edited.get(page)
        if known and known.version == version:
            return known
        passages = pages.passages(page)
        return _Edited(version, tuple(analysed(each, self._analyzer) for each in passages))

    @property
    def passages(self) -> int:
        """The number of passages."""
        return self._search.passages

    @property
    def is_settled(self) -> bool:
        """Whether the delta is so small that no new base is due."""
        return is_small(len(self._edited) + len(self._removed), len(self._base.versions))


def is_small(differences: int, pages: int) -> bool:
    """Return whether so many pages may differ from a base of so many pages."""
    return differences <= max(_FEW_PAGES, _SMALL_SHARE * pages)


def index_of(base: Base, analyzer: Analyzer) -> PassageIndex:
    """Return the index of what a base holds."""
    return PassageIndex(base, analyzer, {}, frozenset())


def _delta(edited: Iterable[_Edited]) -> tuple[Segment, Lexicon]:
    words = Words()
    passages = [passage for page in edited for passage in page.passages]
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
