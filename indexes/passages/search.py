"""The index of all passages: searches its two segments as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from tantivy import Query as Condition

from indexes.passages.analysis import Analyzer
from indexes.passages.conditions import any_of, phrase, visible_to
from indexes.passages.lexicon import Lexicon, is_spelt
from indexes.passages.passage import Reader
from indexes.passages.queries import Concept, Query, only_asks, read_query
from indexes.passages.ranking import Scored, Statistics, ranked
from indexes.passages.segment import Segment

_CANDIDATES = 100
_SHORT = 5
_MOST_EDITS = 2
"""A word up to the short length is misspelt by one edit, a longer one by two."""
_MISSPELT = (1.0, 0.6, 0.4)
"""The weight of a word by the number of edits to what was typed."""
_MOST_READINGS = 8
_COMMON = 1_000
"""A word in more passages than this is taken as visible to every reader."""


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
        passages = sum(segment.passages for segment in segments)
        length = sum(segment.length for segment in segments)
        self._statistics = Statistics(passages, length / max(passages, 1), self._frequency)

    def _frequency(self, term: str) -> int:
        return sum(segment.frequency(term) for segment in self._segments)

    def find(self, text: str, reader: Reader, limit: int, page_limit: int = 3) -> SearchResult:
        """Return the best passages, at most `page_limit` of one page.

        A phrase that no text has counts as its words, unless it is the whole query.
        """
        query = read_query(text, self._analyzer)
        conditions = visible_to(reader)
        concepts = tuple(self._readings(query.concepts, conditions))
        hits = self._hits(concepts, query.phrases, conditions)
        if not hits and query.phrases and not query.is_quoted:
            hits = self._hits(concepts, (), conditions)
        suggestion = None if hits else self._suggestion(text, query, conditions)
        return SearchResult(tuple(islice(_at_most(page_limit, hits), limit)), suggestion)

    def _hits(
        self,
        concepts: Sequence[Concept],
        phrases: Sequence[Sequence[str]],
        conditions: Sequence[Condition],
    ) -> list[Scored]:
        if not concepts:
            return []
        queries = [any_of(concepts), *map(phrase, phrases), *conditions]
        candidates = [
            candidate
            for segment in self._segments
            for candidate in segment.candidates(queries, _CANDIDATES)
        ]
        return ranked(candidates, concepts, self._statistics)

    def _suggestion(self, text: str, query: Query, conditions: Sequence[Condition]) -> str | None:
        """Return the words of a query that readers can find, or else the most similar ones."""
        concepts = [concept for concept in query.concepts if not only_asks(concept)]
        near = (self._nearest(concept, conditions, _MOST_EDITS) for concept in concepts)
        words = [each.word for each in near if self._is_known(each, conditions)]
        suggestion = " ".join(words)
        return suggestion if words and suggestion != text else None

    def _readings(
        self, concepts: Sequence[Concept], conditions: Sequence[Condition]
    ) -> Iterator[Concept]:
        """Yield the concepts as the texts have them: what no text has is read in another way."""
        for concept in concepts:
            if concept.parts and not self._is_known(concept, conditions):
                yield from self._readings(concept.parts, conditions)
            else:
                yield self._nearest(concept, conditions)

    def _is_known(self, concept: Concept, conditions: Sequence[Condition]) -> bool:
        frequency = max(map(self._frequency, concept.terms))
        return frequency > _COMMON or (frequency > 0 and self._is_visible([concept], conditions))

    def _is_visible(self, concepts: Sequence[Concept], conditions: Sequence[Condition]) -> bool:
        queries = [any_of(concepts), *conditions]
        return any(segment.has(queries) for segment in self._segments)

    def _nearest(
        self, concept: Concept, conditions: Sequence[Condition], max_edits: int = 0
    ) -> Concept:
        """Return an unknown concept as the most similar words; as it is if there are none."""
        if self._is_known(concept, conditions) or not is_spelt(concept.word):
            return concept
        for edits in range(1, 1 + (max_edits or _edits(concept.word))):
            words = [word for each in self._lexicons for word in each.near(concept.word, edits)]
            readings = [self._reading(word) for word in dict.fromkeys(words)]
            seen = [each for each in readings if self._is_visible([each], conditions)]
            if seen:
                terms = dict.fromkeys(term for each in seen[:_MOST_READINGS] for term in each.terms)
                word, weight = seen[0].word, _MISSPELT[edits]
                return replace(concept, word=word, terms=tuple(terms), weight=weight)
        return concept

    def _reading(self, word: str) -> Concept:
        stems = self._analyzer.vocabulary.stems(word)
        return Concept(word, stems)


def _edits(word: str) -> int:
    return 1 if len(word) <= _SHORT else _MOST_EDITS


def _at_most(page_limit: int, ranked_hits: Sequence[Scored]) -> Iterator[Hit]:
    pages: Counter[str] = Counter()
    for scored in ranked_hits:
        page = scored.candidate.page
        pages[page] += 1
        if pages[page] <= page_limit:
            yield Hit(scored.candidate.key, page, scored.score)
