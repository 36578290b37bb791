"""The index of all passages: searches its two segments as one, and highlights what it finds.

Whole words only: a mark inside an Arabic word would break its joined letters.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from math import log

from tantivy import Query as Condition

from indexes.passages.analysis import AROUND, Analyzer
from indexes.passages.passage import FIELD_WEIGHTS, SearchScope, enclosed
from indexes.passages.queries import (
    Concept,
    Query,
    Synonyms,
    any_of_all_first,
    read_query,
    with_light_names,
)
from indexes.passages.reading import Reading
from indexes.passages.segment import Candidate, PassageSegment, phrase, visible_to
from indexes.text.words import is_group

_CANDIDATES = 100


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found: its key, its page with its kind, and its score."""

    key: str
    page: str
    kind: str
    score: float


class Highlighter:
    """Finds the words of texts that have any of the terms; it remembers those it has seen."""

    def __init__(self, terms: Iterable[str], analyzer: Analyzer) -> None:
        self._terms = frozenset(terms)
        self._analyzer = analyzer
        self._has_phrases = not self._terms.isdisjoint(analyzer.phrase_groups)
        self._has_term: dict[str, bool] = {}

    def __call__(self, text: str) -> Sequence[Span]:
        """Return the start and the end of each word, in order.

        >>> from indexes.text.words import Vocabulary
        >>> Highlighter({"invoic", "'15%"}, Analyzer(Vocabulary()))("(Invoices), at 15%.")
        [(1, 9), (15, 18)]
        """
        written = list(_WRITTEN.finditer(text))
        found = {number for number, match in enumerate(written) if self._is_found(match[0])}
        if self._has_phrases:
            found |= self._in_phrases([match[0] for match in written])
        return [_trimmed(written[number]) for number in sorted(found)]

    def _is_found(self, written: str) -> bool:
        is_found = self._has_term.get(written)
        if is_found is None:
            is_found = not self._terms.isdisjoint(self._analyzer.terms(written))
            self._has_term[written] = is_found
        return is_found

    def _in_phrases(self, written: Sequence[str]) -> set[int]:
        """Return the numbers of the texts between spaces that belong to a synonym phrase."""
        chunks = [self._analyzer.chunks(each) for each in written]
        words = [
            number for number, each in enumerate(chunks) for chunk in each for _ in chunk.words
        ]
        phrases = self._analyzer.phrases(chain.from_iterable(chunks))
        found = (
            range(start, start + count) for start, count, name in phrases if name in self._terms
        )
        return {words[word] for word in chain.from_iterable(found)}


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
        analyzer: Analyzer,
        synonyms: Iterable[Iterable[str]] = (),
    ) -> None:
        self._segments = segments
        self._analyzer = analyzer
        self.passages = sum(segment.passages for segment in segments)
        """The number of passages."""
        length = sum(segment.length for segment in segments)
        mean_length = length / max(self.passages, 1)
        self._statistics = Statistics(self.passages, mean_length, self._frequency)
        self._synonyms = Synonyms(synonyms, analyzer.vocabulary, self._frequency)

    def _frequency(self, term: str) -> int:
        return sum(segment.frequency(term) for segment in self._segments)

    def find(self, text: str, scope: SearchScope, limit: int, page_limit: int = 3) -> SearchResult:
        """Return the best passages, at most `page_limit` of one page.

        A phrase that no text has counts as its words, unless it is the whole query.
        """
        query = read_query(text, self._analyzer)
        conditions = visible_to(scope)
        reading = Reading(self._segments, self._analyzer, conditions)
        concepts = with_light_names(query.concepts, scope.site_names, self._analyzer.vocabulary)
        understood = reading.of(self._synonyms.added_to(concepts))
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


Span = tuple[int, int]

_WRITTEN = re.compile(r"\S+")


def _trimmed(match: re.Match[str]) -> Span:
    """Return where a text between spaces is, without the punctuation around it."""
    written = match[0]
    start = match.start() + len(written) - len(written.lstrip(AROUND))
    return start, match.end() - len(written) + len(written.rstrip(AROUND))


_SATURATION = 1.2
"""k1: how much the second occurrence counts beside the first."""
_LENGTH_SHARE = 0.75
"""b: how much a long passage counts less."""
_PAGE_SHARE = 0.3
_SYNONYM_SHARE = 0.9
"""A synonym counts a little less than the word itself, which so ranks before it."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its score; `has_all` says whether it has all concepts."""

    candidate: Candidate
    score: float
    has_all: bool


@dataclass(frozen=True, slots=True)
class Statistics:
    """The number of all passages, their mean length, and in how many of them a term is."""

    passages: int
    mean_length: float
    frequency: Callable[[str], int]

    def rarity(self, concept: Concept) -> float:
        """Return the inverse document frequency of a concept."""
        found = max(map(self.frequency, concept.terms), default=0)
        return log(1 + (self.passages - found + 0.5) / (found + 0.5))


def ranked(
    candidates: Iterable[Candidate], concepts: Sequence[Concept], statistics: Statistics
) -> list[Scored]:
    """Return the candidates, best first."""
    scoring = _Scoring(concepts, statistics)
    own = [(candidate, scoring.parts(candidate)) for candidate in candidates]
    best: dict[str, dict[int, float]] = defaultdict(dict)
    for candidate, parts in own:
        of_page = best[candidate.page]
        for number, part in parts.items():
            of_page[number] = max(part, of_page.get(number, 0.0))
    pages = {page: sum(parts.values()) for page, parts in best.items()}
    scored = [
        Scored(
            candidate,
            (1 - _PAGE_SHARE) * sum(parts.values()) + _PAGE_SHARE * pages[candidate.page],
            len(parts) == len(concepts),
        )
        for candidate, parts in own
    ]
    return sorted(scored, key=lambda each: (not each.has_all, -each.score, each.candidate.key))


class _Scoring:
    """Scores candidates for the concepts of one query."""

    def __init__(self, concepts: Sequence[Concept], statistics: Statistics) -> None:
        self._mean_length = max(statistics.mean_length, 1.0)
        self._weights = [
            concept.count * concept.weight * statistics.rarity(concept) for concept in concepts
        ]
        self._terms = [
            (number, enclosed(term), _SYNONYM_SHARE if is_group(term) else 1.0)
            for number, concept in enumerate(concepts)
            for term in concept.terms
        ]

    def parts(self, candidate: Candidate) -> Mapping[int, float]:
        """Return the score of a candidate for each concept that it has, by number."""
        share = candidate.length / self._mean_length
        half = _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * share)
        counts = self._counts(candidate)
        return {n: self._weights[n] * count / (count + half) for n, count in counts.items()}

    def _counts(self, candidate: Candidate) -> Mapping[int, float]:
        """Count the concepts; one that has several terms in a field counts as its most frequent."""
        counts: dict[int, float] = defaultdict(float)
        for weight, text in zip(FIELD_WEIGHTS, candidate.fields, strict=True):
            of_field: dict[int, float] = {}
            for number, term, share in self._terms:
                count = text.count(term)
                if count:
                    of_field[number] = max(count * share, of_field.get(number, 0.0))
            for number, most in of_field.items():
                counts[number] += weight * most
        return counts
