"""Ranking: BM25F over title, headings and body, with evidence of the page.

The score of a passage is the sum over the concepts of a query, each weighted by its rarity. A part
of the score is that of the page: the best of each concept in any of its passages. Passages with
all concepts come first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log

from indexes.passages.passage import FIELD_WEIGHTS, enclosed
from indexes.passages.queries import Concept
from indexes.passages.segment import Candidate

_SATURATION = 1.2
"""k1: how much the second occurrence counts beside the first."""
_LENGTH_SHARE = 0.75
"""b: how much a long passage counts less."""
_PAGE_SHARE = 0.3


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
        _keep_best(best[candidate.page], parts)
    pages = {page: sum(parts.values()) for page, parts in best.items()}
    scored = [
        Scored(
            candidate,
            (1 - _PAGE_SHARE) * sum(parts.values()) + _PAGE_SHARE * pages[candidate.page],
            len(parts) == len(concepts),
        )
        for candidate, parts in own
    ]
    return sorted(scored, key=_sort_key)


def _sort_key(scored: Scored) -> tuple[bool, float, str]:
    return not scored.has_all, -scored.score, scored.candidate.key


def _keep_best(best: dict[int, float], parts: Mapping[int, float]) -> None:
    for number, part in parts.items():
        best[number] = max(part, best.get(number, 0.0))


class _Scoring:
    """Scores candidates for the concepts of one query."""

    def __init__(self, concepts: Sequence[Concept], statistics: Statistics) -> None:
        self._mean_length = max(statistics.mean_length, 1.0)
        self._weights = [
            concept.count * concept.weight * statistics.rarity(concept) for concept in concepts
        ]
        self._terms = [
            (number, enclosed(concept.terms[0]), tuple(map(enclosed, concept.terms[1:])))
            for number, concept in enumerate(concepts)
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
            for number, first, others in self._terms:
                count = text.count(first)
                for other in others:
                    count = max(count, text.count(other))
                if count:
                    counts[number] += weight * count
        return counts
