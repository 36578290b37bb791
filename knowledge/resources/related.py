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
    """Return the posts most related to a post at that time; ties go to the newest."""
    candidates = (other for other in _candidates(index, record) if other.is_published_at(now))
    return list(islice(candidates, RELATED_LIMIT))


def _candidates(index: PostIndex, record: PostRecord) -> Iterator[PostRecord]:
    indexed = (index.by_tag.get(tag, ()) for tag in record.tags)
    shared = Counter(chain.from_iterable(indexed))
    shared.pop(record, None)
    # Thousands of posts may share a tag, so each group is sorted only when it is reached.
    for count in range(len(record.tags), 0, -1):
        yield from sorted((other for other, tags in shared.items() if tags == count), key=_AGE)
    if record.category:
        posts = index.by_category.get(record.category, ())
        yield from (other for other in posts if other is not record and other not in shared)
