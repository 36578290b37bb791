"""The index of all passages: searches its two segments as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from tantivy import Query as Condition

from indexes.passages.analysis import Analyzer
from indexes.passages.conditions import any_of_all_first, phrase, visible_to
from indexes.passages.lexicon import Lexicon
from indexes.passages.passage import Reader
from indexes.passages.queries import Concept, read_query
from indexes.passages.ranking import Scored, Statistics, ranked
from indexes.passages.readings import Reading
from indexes.passages.segment import Segment

_CANDIDATES = 100


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found: its key, its page and its score, by which hits can be compared."""

    key: str
    page: str
    score: float


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The hits of a query, best first; without any, another query that has some, or None."""

    hits: tuple[Hit, ...]
    suggestion: str | None = None


class PassageSearch:
    """Answers queries from segments, in the same order whichever segment has a passage."""

    def __init__(
        self, segments: Sequence[Segment], lexicons: Sequence[Lexicon], analyzer: Analyzer
    ) -> None:
        self._segments = segments
        self._lexicons = lexicons
        self._analyzer = analyzer
        self.passages = sum(segment.passages for segment in segments)
        """The number of passages."""
        length = sum(segment.length for segment in segments)
        mean_length = length / max(self.passages, 1)
        self._statistics = Statistics(self.passages, mean_length, self._frequency)

    def _frequency(self, term: str) -> int:
        return sum(segment.frequency(term) for segment in self._segments)

    def find(self, text: str, reader: Reader, limit: int, page_limit: int = 3) -> SearchResult:
        """Return the best passages, at most `page_limit` of one page.

        A phrase that no text has counts as its words, unless it is the whole query.
        """
        query = read_query(text, self._analyzer)
        conditions = visible_to(reader)
        reading = Reading(self._segments, self._lexicons, self._analyzer, conditions)
        concepts = reading.of(query.concepts)
        hits = self._hits(concepts, query.phrases, conditions)
        if not hits and query.phrases and not query.is_quoted:
            hits = self._hits(concepts, (), conditions)
        suggestion = None if hits else reading.suggestion(query.concepts, text)
        return SearchResult(tuple(islice(_at_most(page_limit, hits), limit)), suggestion)

    def _hits(
        self,
        concepts: Sequence[Concept],
        phrases: Sequence[Sequence[str]],
        conditions: Sequence[Condition],
    ) -> list[Scored]:
        if not concepts:
            return []
        queries = [any_of_all_first(concepts), *map(phrase, phrases), *conditions]
        candidates = [
            candidate
            for segment in self._segments
            for candidate in segment.candidates(queries, _CANDIDATES)
        ]
        return ranked(candidates, concepts, self._statistics)


def _at_most(page_limit: int, ranked_hits: Sequence[Scored]) -> Iterator[Hit]:
    pages: Counter[str] = Counter()
    for scored in ranked_hits:
        page = scored.candidate.page
        pages[page] += 1
        if pages[page] <= page_limit:
            yield Hit(scored.candidate.key, page, scored.score)
