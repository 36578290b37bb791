"""Ranking: which texts have every term, and in which order readers see them.

A term in the title counts above any in the excerpt, a word as it was typed above its stem; among
these BM25F decides. Titles and excerpts are all short, so their length does not count (b = 0):
texts that hold a term equally often are equals, and equals stand newest first.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from heapq import merge
from math import log
from typing import NamedTuple

from indexes.analysis import Term
from indexes.hits import Body, Hits
from indexes.page_text import PageText

_IN_TITLE, _EXACT = 1e8, 1e4
"""Each more than all that comes below it can add up to in a query of the greatest length."""
_TITLE_WEIGHT, _EXCERPT_WEIGHT = 3.0, 1.0
_SATURATION = 1.2


@dataclass(frozen=True, slots=True)
class Portion:
    """A body of texts, without those that are not for the readers who search."""

    body: Body
    barred: AbstractSet[int]

    @property
    def size(self) -> int:
        """How many texts are for them."""
        return len(self.body.texts) - len(self.barred)


def ranked(portions: Sequence[Portion], terms: Sequence[Term]) -> list[PageText]:
    """The texts that have every term, best first.

    How rare a term is, is counted over all portions, so that the order does not depend on which
    of them holds a text.
    """
    finds = [_Finds(portion, terms) for portion in portions]
    size = sum(portion.size for portion in portions)
    counts = (sum(numbers) for numbers in zip(*(each.counts for each in finds), strict=True))
    rarities = [log(size / count) + 1.0 if count else 0.0 for count in counts]
    runs = [run for each in finds if (run := each.in_order(rarities)).texts]
    if len(runs) == 1:  # as it is mostly; thousands of pairs would keep the collector busy
        return runs[0].texts
    pairs = (zip(run.scores, run.texts, strict=True) for run in runs)
    return [text for _, text in merge(*pairs, key=_standing)]


def _standing(scored: tuple[float, PageText]) -> tuple[float, object]:
    return -scored[0], scored[1].order


class _Run(NamedTuple):
    """Texts in order, and their scores."""

    texts: list[PageText]
    scores: list[float]


class _Finds:
    """What all terms of a query found in one portion."""

    def __init__(self, portion: Portion, terms: Sequence[Term]) -> None:
        self._texts = portion.body.texts
        self._hits = [portion.body.hits(term) for term in terms]
        found = [{*hits.title, *hits.excerpt} - portion.barred for hits in self._hits]
        self.counts = [len(numbers) for numbers in found]
        self._numbers = sorted(set.intersection(*found)) if found else []

    def in_order(self, rarities: Sequence[float]) -> _Run:
        """The texts that have all terms, best first."""
        scores = dict.fromkeys(self._numbers, 0.0)
        for hits, rarity in zip(self._hits, rarities, strict=True):
            _add(scores, hits, rarity)
        # Stable: among equals the order of the numbers stands.
        best = sorted(scores, key=scores.__getitem__, reverse=True)
        return _Run([self._texts[each] for each in best], [scores[each] for each in best])


def _add(scores: dict[int, float], hits: Hits, rarity: float) -> None:
    """Add one term's share to the score of each text."""
    titled, told = hits.title.get, hits.excerpt.get
    exact_title, exact_excerpt = hits.exact_title, hits.exact_excerpt
    for number in scores:
        in_title = titled(number)
        count = told(number, 0.0) * _EXCERPT_WEIGHT
        if in_title is None:
            grade = _EXACT if number in exact_excerpt else 0.0
        else:
            count += in_title * _TITLE_WEIGHT
            grade = _IN_TITLE + (_EXACT if number in exact_title else 0.0)
        scores[number] += grade + rarity * count / (count + _SATURATION)
