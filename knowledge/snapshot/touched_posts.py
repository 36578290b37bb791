"""The keys of lists of posts that a change touches.

An edited post touches its lists only if its place in them changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

from knowledge.edits.reads import Key
from knowledge.fields.content_types import AUTHOR, CATEGORY, TAG
from knowledge.locales.locale import Language
from knowledge.snapshot.locale_posts import BUILT, NEIGHBOURS, ORDER, PLACE, SERIES, posts_key
from knowledge.snapshot.post_index import PostIndex, PostRecord
from knowledge.snapshot.post_indexes import PostIndexes


def moved_post_keys(
    before: PostIndexes, after: PostIndexes, slugs: AbstractSet[str]
) -> Iterator[Key]:
    """Yield the keys of lists in which edited posts have another place."""
    for language in Language if slugs else ():
        olds, news = (each.built(language) for each in (before, after))
        if not olds:
            yield posts_key(language, BUILT)
        pairs = {(id(old), id(new)): (old, new) for old, new in zip(olds, news, strict=bool(olds))}
        for old, new in pairs.values():
            for slug in slugs:
                # An index keeps the record of a post whose place is the same.
                if old.by_slug.get(slug) is not new.by_slug.get(slug):
                    yield from _place_keys(language, slug, old, new)


def due_post_keys(indexes: PostIndexes, slugs: AbstractSet[str]) -> Iterator[Key]:
    """Yield the keys of lists in which posts come or go by schedule."""
    for language in Language if slugs else ():
        for index in {id(each): each for each in indexes.built(language)}.values():
            for slug in slugs:
                yield from _place_keys(language, slug, index)


def _place_keys(language: Language, slug: str, *indexes: PostIndex) -> Iterator[Key]:
    """Yield the keys of the lists in which a post stands, in those indexes that have it."""
    for index in indexes:
        record = index.by_slug.get(slug)
        if record is None:
            continue
        yield posts_key(language, ORDER)
        yield posts_key(language, PLACE, slug)
        yield posts_key(language, NEIGHBOURS, slug)
        for part in _lists(record):
            yield posts_key(language, *part)
        for nearest in index.around(record):
            for neighbour in nearest:
                yield posts_key(language, NEIGHBOURS, neighbour.slug)
                break


def _lists(record: PostRecord) -> Iterable[tuple[Key, ...]]:
    """Yield the lists of terms in which a post stands."""
    for kind, slugs in (
        (CATEGORY, record.categories),
        (TAG, record.tags),
        (AUTHOR, record.authors),
        (SERIES, (record.series,) if record.series else ()),
    ):
        yield from ((kind, slug) for slug in slugs)
