"""The index of all passages: searches its two segments as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice

from tantivy import Query as Condition

from indexes.passages.analysis import Analyzer
from indexes.passages.conditions import any_of_all_first, phrase, visible_to
from indexes.passages.highlights import Highlighter
from indexes.passages.passage import Reader
from indexes.passages.queries import Concept, Query, read_query
from indexes.passages.ranking import Scored, Statistics, ranked
from indexes.passages.readings import Reading, Synonyms
from indexes.passages.segment import Candidate, Lexicon, PassageSegment

_CANDIDATES = 100


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found: its key, its page with its kind, and its score."""

    key: str
    page: str
    kind: str
    score: float


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The hits of a query, best first; without any, `suggestion` is a query that has some.

    `words` has the words of the query that texts have, each as it was read: a misspelt one as the
    right one. `highlights` finds the words of the query in a text. `is_complete` says whether all
    texts that match were ranked.
    """

    hits: tuple[Hit, ...]
    highlights: Highlighter
    suggestion: str | None = None
    words: Mapping[str, str] = field(default_factory=dict)
    is_complete: bool = True


class PassageSearch:
    """Answers queries from segments, in the same order whichever segment has a passage."""

    def __init__(
        self,
        segments: Sequence[PassageSegment],
        lexicons: Sequence[Lexicon],
        analyzer: Analyzer,
        synonyms: Iterable[Iterable[str]] = (),
    ) -> None:
        self._segments = segments
        self._lexicons = lexicons
        self._analyzer = analyzer
        self.passages = sum(segment.passages for segment in segments)
        """The number of passages."""
        length = sum(segment.length for segment in segments)
        mean_length = length / max(self.passages, 1)
        self._statistics = Statistics(self.passages, mean_length, self._frequency)
        self._synonyms = Synonyms(synonyms, analyzer.vocabulary, self._frequency)

    def _frequency(self, term: str) -> int:
        return sum(segment.frequency(term) for segment in self._segments)

    def find(self, text: str, reader: Reader, limit: int, page_limit: int = 3) -> SearchResult:
        """Return the best passages, at most `page_limit` of one page.

        A phrase that no text has counts as its words, unless it is the whole query.
        """
        query = read_query(text, self._analyzer)
        conditions = visible_to(reader)
        reading = Reading(self._segments, self._lexicons, self._analyzer, conditions)
        understood = reading.of(self._synonyms.added_to(query.concepts))
        candidates = self._candidates(understood.concepts, query, conditions)
        best = ranked(chain.from_iterable(candidates), understood.concepts, self._statistics)
        terms = chain.from_iterable(concept.terms for concept in understood.concepts)
        return SearchResult(
            tuple(islice(_at_most(page_limit, best), limit)),
            Highlighter(terms, self._analyzer),
            suggestion=None if best else reading.suggestion(query.concepts, text),
            words=understood.words,
            is_complete=all(len(found) < _CANDIDATES for found in candidates),
        )

    def _candidates(
        self, concepts: Sequence[Concept], query: Query, conditions: Sequence[Condition]
    ) -> Sequence[Sequence[Candidate]]:
        """Return the candidates of each segment."""
        if not concepts:
            return ()
        any_concept, phrases = any_of_all_first(concepts), list(map(phrase, query.phrases))
        found = self._meeting([any_concept, *phrases, *conditions])
        if phrases and not query.is_quoted and not any(found):
            found = self._meeting([any_concept, *conditions])
        return found

    def _meeting(self, conditions: Sequence[Condition]) -> Sequence[Sequence[Candidate]]:
        return [list(each.candidates(conditions, _CANDIDATES)) for each in self._segments]


def _at_most(page_limit: int, ranked_hits: Sequence[Scored]) -> Iterator[Hit]:
    pages: Counter[str] = Counter()
    for scored in ranked_hits:
        page = scored.candidate.page
        pages[page] += 1
        if pages[page] <= page_limit:
            yield Hit(scored.candidate.key, page, scored.candidate.kind, scored.score)
