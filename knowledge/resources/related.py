"""Related posts: those that share the most tags, then those of the same category."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import chain, islice
from operator import attrgetter

from knowledge.shelf import Card, Shelf

RELATED_LIMIT = 3
_AGE = attrgetter("age_key")


def related(shelf: Shelf, card: Card, now: datetime) -> Sequence[Card]:
    """The nearest relatives of a post at that instant; newest first among equals."""
    candidates = (other for other in _relatives(shelf, card) if other.is_published_at(now))
    return list(islice(candidates, RELATED_LIMIT))


def _relatives(shelf: Shelf, card: Card) -> Iterator[Card]:
    filed = (shelf.by_tag.get(tag, ()) for tag in card.tags)
    shared = Counter(chain.from_iterable(filed))
    shared.pop(card, None)
    # Tags may be on thousands of posts: only those that may come next are sorted.
    for count in range(len(card.tags), 0, -1):
        yield from sorted((other for other, of in shared.items() if of == count), key=_AGE)
    if card.category:
        same = shelf.by_category.get(card.category, ())
        yield from (other for other in same if other is not card and other not in shared)
