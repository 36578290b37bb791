"""Related posts: those that share the most tags, then those of the same category."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import chain, islice
from operator import attrgetter

from knowledge.post_index import PostIndex, PostRecord

RELATED_LIMIT = 3
_AGE = attrgetter("age_key")


def related(index: PostIndex, record: PostRecord, now: datetime) -> Sequence[PostRecord]:
    """The nearest relatives of a post at that instant; newest first among equals."""
    candidates = (other for other in _candidates(index, record) if other.is_published_at(now))
    return list(islice(candidates, RELATED_LIMIT))


def _candidates(index: PostIndex, record: PostRecord) -> Iterator[PostRecord]:
    indexed = (index.by_tag.get(tag, ()) for tag in record.tags)
    shared = Counter(chain.from_iterable(indexed))
    shared.pop(record, None)
    # Tags may be on thousands of posts: only those that may come next are sorted.
    for count in range(len(record.tags), 0, -1):
        yield from sorted((other for other, of in shared.items() if of == count), key=_AGE)
    if record.category:
        same = index.by_category.get(record.category, ())
        yield from (other for other in same if other is not record and other not in shared)
