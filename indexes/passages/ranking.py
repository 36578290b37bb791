"""Ranking: the order of passages by the words of a query, and by meaning."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import filterfalse
from math import exp, log, sqrt
from typing import Protocol, Self

from indexes.passages.passage import FIELD_WEIGHTS, enclosed
from indexes.passages.queries import Concept
from indexes.passages.segment import Candidate
from indexes.passages.values import OPENING, is_value
from indexes.passages.wishes import Wish
from indexes.text.words import is_group

_SATURATION = 1.2
"""k1: how much the second occurrence counts beside the first."""
_LENGTH_SHARE = 0.75
"""b: how much a long passage counts less."""
_PAGE_SHARE = 0.3
_SYNONYM_SHARE, _VALUE_SHARE = 0.9, 0.1
"""A synonym counts a little less than the word itself, which so ranks before it. A value finds a
passage that has no word for it, and hardly counts as one."""
_WISHED, _ALONE, _FURTHER = 1.4, 2.5, 1.15
"""How much more a passage counts that holds a value of a type that the question asks for, where it
asks for nothing else, and for each further such type."""
_OPENING = 1.3
"""How much more the passage at the top of a page counts if the title has all words of a query
that asks for no value."""
_MEANING = 0.7
"""The weight of the closeness in meaning beside the score by words, which is 1 at most."""

_AT_TOP = enclosed(OPENING)


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its score."""

    candidate: Candidate
    score: float


@dataclass(frozen=True, slots=True)
class Statistics:
    """The number of all passages, their mean length, and in how many of them a term is."""

    passages: int
    mean_length: float
    frequency: Callable[[str], int]

    def rarity(self, concept: Concept) -> float:
        """Return the inverse document frequency of a concept."""
        found = max(map(self.frequency, filterfalse(is_value, concept.terms)), default=0)
        return log(1 + (self.passages - found + 0.5) / (found + 0.5))

    def weight(self, concept: Concept) -> float:
        """Return the score of a passage that has a concept countless times."""
        return concept.count * concept.weight * self.rarity(concept)


LEAST_RELEVANCE = 0.33
"""The relevance that nine of ten questions reach which the texts answer."""
_ANY, _SHARE, _EVIDENCE, _SIZE, _CLOSENESS = -0.5, 2.1, 2.55, -0.24, 2.4
_USUAL_CLOSENESS = 0.34
"""The logistic regression of whether texts answer a question, and the closeness that says nothing:
`tests/benchmarks/retrieval/relevance.py` fits them, docs/records/retrieval.md has the figures."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How well the passages fit a question.

    `share` is the share that the best one by words has of the words that do not only ask: each
    counts as the root of its weight, as a question is often about a word that is not rare.
    `evidence` is its score, in weights of a word that is nowhere: a few common words are anywhere.
    `size` is the length of all texts, as more fits by chance in more of them. `closeness` is that
    of the passage nearest in meaning, if it is known.
    """

    share: float
    evidence: float
    size: float
    closeness: float | None

    @classmethod
    def of(
        cls, best: Scored | None, wish: Wish, statistics: Statistics, closeness: Iterable[float]
    ) -> Self:
        """Return the fit of the best passage by words, and of all by their meaning."""
        text = "".join(best.candidate.fields) if best else ""
        finding = {each: sqrt(statistics.weight(each)) for each in wish.concepts if not each.asks}
        found = (each for each in finding if any(enclosed(term) in text for term in each.terms))
        return cls(
            sum(map(finding.__getitem__, found)) / (sum(finding.values()) or 1.0),
            best.score / log(2 * statistics.passages + 2) if best else 0.0,
            log(1 + statistics.passages * statistics.mean_length),
            max(closeness, default=None),
        )

    @property
    def relevance(self) -> float:
        """Return from 0 to 1 how likely it is that the texts answer the question."""
        if not self.evidence and self.closeness is None:
            return 0.0
        close = _USUAL_CLOSENESS if self.closeness is None else self.closeness
        likely = _ANY + _SHARE * self.share + _EVIDENCE * self.evidence + _SIZE * self.size
        likely += _CLOSENESS * (close - _USUAL_CLOSENESS)
        # One passage has all words: such a query may be short, and little speaks against it.
        least = LEAST_RELEVANCE if self.share == 1 else 0.0
        return max(round(1 / (1 + exp(-likely)), 2), least)


def ranked(candidates: Iterable[Candidate], wish: Wish, statistics: Statistics) -> list[Scored]:
    """Return the candidates, best first."""
    scoring = _Scoring(wish, statistics)
    own = [(candidate, scoring.parts(candidate)) for candidate in candidates]
    best: dict[str, dict[int, float]] = defaultdict(dict)
    for candidate, parts in own:
        of_page = best[candidate.hit.page]
        for number, part in parts.items():
            of_page[number] = max(part, of_page.get(number, 0.0))
    pages = {page: sum(parts.values()) for page, parts in best.items()}
    scored = [
        Scored(
            candidate,
            ((1 - _PAGE_SHARE) * sum(parts.values()) + _PAGE_SHARE * pages[candidate.hit.page])
            * scoring.factor(candidate),
        )
        for candidate, parts in own
    ]
    return sorted(scored, key=_best_first)


def _best_first(scored: Scored) -> tuple[float, str]:
    return -scored.score, scored.candidate.hit.key


class Meaning(Protocol):
    """Compares questions and passages."""

    def closeness(self, question: str, candidates: Sequence[Candidate]) -> Mapping[str, float]:
        """Return the cosine of each candidate to a question, by key, as far as it is known."""

    def nearest(self, question: str, least: float) -> Sequence[int]:
        """Return the names of the texts nearest to a question, at least as close as this."""


def by_meaning(scored: Sequence[Scored], closeness: Mapping[str, float]) -> list[Scored]:
    """Return candidates, best first by words, in the order of words and meaning together.

    `closeness` has the cosine of each candidate, by key. A candidate without one counts as the mean
    of the others, so that its words decide.
    """
    if not closeness:
        return list(scored)
    best, mean = scored[0].score or 1.0, sum(closeness.values()) / len(closeness)
    together = [
        Scored(
            each.candidate,
            each.score / best + _MEANING * closeness.get(each.candidate.hit.key, mean),
        )
        for each in scored
    ]
    return sorted(together, key=_best_first)


class _Scoring:
    """Scores candidates for the concepts and the values of one query."""

    def __init__(self, wish: Wish, statistics: Statistics) -> None:
        concepts = wish.concepts
        self._values = tuple(map(enclosed, wish.values))
        self._finding = [
            tuple(map(enclosed, concept.terms)) for concept in concepts if not concept.asks
        ]
        self._wished = _ALONE if wish.is_all else _WISHED
        self._mean_length = max(statistics.mean_length, 1.0)
        self._weights = list(map(statistics.weight, concepts))
        self._terms = [
            (number, enclosed(term), _share(term))
            for number, concept in enumerate(concepts)
            for term in concept.terms
        ]

    def parts(self, candidate: Candidate) -> Mapping[int, float]:
        """Return the score of a candidate for each concept that it has, by number."""
        share = candidate.length / self._mean_length
        half = _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * share)
        counts = self._counts(candidate)
        return {n: self._weights[n] * count / (count + half) for n, count in counts.items()}

    def factor(self, candidate: Candidate) -> float:
        """Return how much more a candidate counts for its values, or as the page asked for."""
        title, *_, body = candidate.fields
        if self._values:
            held = sum(value in body for value in self._values)
            return self._wished * _FURTHER ** (held - 1) if held else 1.0
        is_page = _AT_TOP in body and all(
            any(term in title for term in terms) for terms in self._finding
        )
        return _OPENING if is_page else 1.0

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


def _share(term: str) -> float:
    return _VALUE_SHARE if is_value(term) else _SYNONYM_SHARE if is_group(term) else 1.0
