"""Ranking: selects the posts that match the most terms of a query, and sorts them.

Whoosh's BM25F scores the stems. A match in the title ranks above any match in the excerpt, and an
exact word above a stem. Posts with equal scores are sorted newest first. `And` and `Or` of Whoosh
do not tell how many terms match, lack letters within words, and are no faster without them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from math import log

from indexes.blog.segment import EXCERPT, TITLE, PostSegment
from indexes.text.analysis import QueryTerm
from knowledge.locales.locale import Locale

_WEIGHTS = {TITLE: 1e4, EXCERPT: 1.0}
_ONCE, _EXACT = 1.0, 2.0
"""The score of what a post has once, and more than BM25F adds to it for any frequency."""

Portion = tuple[PostSegment, AbstractSet[int]]
"""A segment, and the posts of it that the searching reader sees."""

Tier = tuple[int, Sequence[str]]
"""A number of terms, and the slugs of the posts that match exactly so many, best first."""


def best_tier(
    visible: Callable[[Locale], Sequence[Portion]],
    locale: Locale,
    terms: Sequence[QueryTerm],
    limit: int,
) -> Tier:
    """Return the posts that match the most terms, but no more than `limit`, best first.

    The inverse document frequency is computed over all portions, so that the order does not
    depend on which portion has a post. It counts all ways in which posts match a term.
    """
    portions = visible(locale)
    scores = [[_scores(portion, term) for term in terms] for portion in portions]
    terms_of = [Counter(chain.from_iterable(by_term)) for by_term in scores]
    most = max((n for each in terms_of for n in each.values() if n <= limit), default=0)
    size = sum(len(seen) for _, seen in portions)
    found = (sum(map(len, matches)) for matches in zip(*scores, strict=True))
    idfs = [log(size / count) + 1.0 if count else 0.0 for count in found]
    keys = []
    for (segment, _), counter, by_term in zip(portions, terms_of, scores, strict=True):
        for number in (number for number, count in counter.items() if count == most):
            parts = (each.get(number, 0.0) * idf for each, idf in zip(by_term, idfs, strict=True))
            keys.append((-sum(parts), segment.orders[number]))
    return most, [slug for _, (_, slug) in sorted(keys)]


def _scores(portion: Portion, term: QueryTerm) -> dict[int, float]:
    """Return the score of each post that matches a term, by its stems or by its letters."""
    segment, visible = portion
    by_field = {field: _of_stems(segment, field, term.stems) for field in _WEIGHTS}
    if term.parts:  # A term whose parts are spread over both fields is a match in the excerpt.
        titles, excerpts = (
            [set(_of_stems(segment, field, part)) for part in term.parts] for field in by_field
        )
        in_title = set.intersection(*titles)
        anywhere = set.intersection(*map(set.union, titles, excerpts)) - in_title
        by_field[TITLE] = dict.fromkeys(in_title, _ONCE) | by_field[TITLE]
        by_field[EXCERPT] = dict.fromkeys(anywhere, _ONCE) | by_field[EXCERPT]
    total: dict[int, float] = {}
    for field, scores in by_field.items():
        letters = segment.holding(field, term.letters, visible)
        exact = segment.spelt(field, term.letters) if term.is_word else letters
        for number in letters:
            scores.setdefault(number, _ONCE)
        weight = _WEIGHTS[field]
        for number in scores.keys() & visible:
            score = scores[number] + (_EXACT if number in exact else 0.0)
            total[number] = total.get(number, 0.0) + weight * score
    return total


def _of_stems(segment: PostSegment, field: str, stems: Iterable[str]) -> dict[int, float]:
    """Return the greatest of the scores of some stems.

    Whoosh's `DisjunctionMax` may take the score of a later post for that of a post.
    """
    best: dict[int, float] = {}
    for stem in stems:
        for number, score in segment.scores(field, stem).items():
            if score > best.get(number, 0.0):
                best[number] = score
    return best
