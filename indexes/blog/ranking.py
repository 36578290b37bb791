"""Ranking: selects the posts that match the most terms, and sorts them.

A match in the title ranks above any match in the excerpt, and an exact word above a stem. Within
these, BM25F decides. Titles and excerpts are all short, so their length does not count (b = 0).
Posts with equal scores are sorted newest first.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import chain, repeat
from math import log
from operator import add
from typing import NamedTuple

from whoosh.scoring import bm25

from indexes.blog.segment import Hits, Post, PostSegment
from indexes.text.analysis import QueryTerm

_IN_TITLE, _EXACT = 1e8, 1e4
"""Each outweighs the sum of all lower scores, even in a query of the maximum length."""
_TITLE_WEIGHT, _EXCERPT_WEIGHT = 3.0, 1.0
_SATURATION = 1.2


@dataclass(frozen=True, slots=True)
class Portion:
    """A set of posts, without the numbers in `hidden`, which the searching country does not see."""

    segment: PostSegment
    hidden: AbstractSet[int]

    @property
    def size(self) -> int:
        """The number of visible posts."""
        return len(self.segment.posts) - len(self.hidden)


class Tier(NamedTuple):
    """The slugs of the posts that match exactly so many terms of a query, best first."""

    terms: int
    slugs: Sequence[str]


def best_tier(portions: Sequence[Portion], terms: Sequence[QueryTerm], limit: int) -> Tier:
    """Return the posts that match the most terms, but no more than `limit`, best first.

    The inverse document frequency is computed over all portions, so that the order does not
    depend on which portion has a post.
    """
    matches = [_Matches(portion, terms) for portion in portions]
    size = sum(portion.size for portion in portions)
    counts = (sum(numbers) for numbers in zip(*(match.counts for match in matches), strict=True))
    idfs = [log(size / count) + 1.0 if count else 0.0 for count in counts]
    most = max(match.most_terms(limit) for match in matches)
    runs = [run for match in matches if (run := match.in_order(most, idfs)).numbers]
    if len(runs) == 1:  # The usual case: avoids thousands of tuples for the garbage collector.
        return Tier(most, runs[0].slugs)
    return Tier(most, _merged(runs) if runs else ())


def _sort_key(scored: tuple[float, Post]) -> tuple[float, object]:
    return -scored[0], scored[1].order


def _merged(runs: Iterable[_Run]) -> Sequence[str]:
    """Return the slugs of all posts in order: those of the delta are put between the others."""
    longest, *others = sorted(runs, key=lambda run: len(run.numbers), reverse=True)
    added = sorted(chain.from_iterable(run.scored for run in others), key=_sort_key)
    places = [
        bisect_right(longest.numbers, _sort_key(scored), key=longest.sort_key) for scored in added
    ]
    slugs = list(longest.slugs)
    for place, (_, post) in zip(reversed(places), reversed(added), strict=True):
        slugs.insert(place, post.slug)
    return slugs


class _Run(NamedTuple):
    """Posts of a segment in order, and their scores."""

    segment: PostSegment
    numbers: Sequence[int]
    scores: Mapping[int, float]

    @property
    def slugs(self) -> Sequence[str]:
        """The slugs of the posts."""
        return list(map(self.segment.slugs.__getitem__, self.numbers))

    def sort_key(self, number: int) -> tuple[float, object]:
        """Return what decides the place of a post among those of all runs."""
        return _sort_key((self.scores[number], self.segment.posts[number]))

    @property
    def scored(self) -> Iterator[tuple[float, Post]]:
        """The posts with their scores."""
        return ((self.scores[number], self.segment.posts[number]) for number in self.numbers)


class _Matches:
    """The matches of all terms of a query in one portion."""

    def __init__(self, portion: Portion, terms: Sequence[QueryTerm]) -> None:
        self._segment = portion.segment
        self._hits = [portion.segment.hits(term) for term in terms]
        self._by_term = [{*hits.title, *hits.excerpt} - portion.hidden for hits in self._hits]
        self.counts = [len(numbers) for numbers in self._by_term]

    @cached_property
    def _terms_of(self) -> Counter[int]:
        """The number of terms that each post matches."""
        return Counter(chain.from_iterable(self._by_term))

    @cached_property
    def _with_all(self) -> set[int]:
        return set.intersection(*self._by_term)

    def most_terms(self, limit: int) -> int:
        """Return the most terms that a post matches, leaving out those with more than `limit`."""
        if limit == len(self._by_term) and self._with_all:
            return limit
        return max((count for count in self._terms_of.values() if count <= limit), default=0)

    def _numbers(self, count: int) -> Iterable[int]:
        if count == len(self._by_term):
            return self._with_all
        return (number for number, terms in self._terms_of.items() if terms == count)

    def in_order(self, count: int, idfs: Sequence[float]) -> _Run:
        """Return the posts that match so many terms, best first."""
        numbers = sorted(self._numbers(count))
        sums: Iterable[float] = repeat(0.0, len(numbers))
        for hits, idf in zip(self._hits, idfs, strict=True):
            sums = map(add, sums, _scores(hits, idf, numbers))
        scores = dict(zip(numbers, sums, strict=True))
        # The sort is stable: ties stay in the order of their numbers.
        best = sorted(scores, key=scores.__getitem__, reverse=True)
        return _Run(self._segment, best, scores)


def _scores(hits: Hits, idf: float, numbers: Iterable[int]) -> Iterator[float]:
    """Return one term's score of each post.

    Thousands of posts have few different scores: each is computed once, without a loop in Python.
    """
    return map(
        cache(partial(_score, idf)),
        map(hits.title.get, numbers),
        map(hits.excerpt.get, numbers),
        map(hits.exact_title.__contains__, numbers),
        map(hits.exact_excerpt.__contains__, numbers),
    )


def _score(
    idf: float, in_title: int | None, in_excerpt: int | None, exact_title: bool, exact_excerpt: bool
) -> float:
    """Return one term's score of a post that has it so often in its title and its excerpt."""
    count = (in_excerpt or 0.0) * _EXCERPT_WEIGHT
    if in_title is None:
        grade = _EXACT if exact_excerpt else 0.0
    else:
        count += in_title * _TITLE_WEIGHT
        grade = _IN_TITLE + (_EXACT if exact_title else 0.0)
    return grade + float(bm25(idf, count, fl=1, avgfl=1, B=0, K1=_SATURATION))
