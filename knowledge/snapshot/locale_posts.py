"""The posts of one locale, as resources read them: each method notes what it depends on.

Most edits of a post change its text, not its place in lists. Whoever reads a list therefore depends
on the places of its posts, and on the text of a post only through its document.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from knowledge.edits.reads import Key, note
from knowledge.fields.content_types import POST, TAG, AnyContentType
from knowledge.locales.locale import Language
from knowledge.snapshot.post_index import PostIndex, PostRecord, PostRecords

ORDER = "order"
"""The list of all posts of a language."""

PLACE = "place"
"""Dates, terms and series of one post."""

NEIGHBOURS = "neighbours"
"""The posts before and after one in the order."""

SERIES = "series"
BUILT = "built"
"""Whether the index of a language has been built."""


def posts_key(language: Language, *part: Key) -> Key:
    """Return the key of a part of the lists of a language."""
    return ("lists", language, *part)


@dataclass(frozen=True, slots=True)
class LocalePosts:
    """The posts of one locale, newest first, including scheduled and withdrawn ones."""

    language: Language
    index: PostIndex

    def record(self, slug: str) -> PostRecord | None:
        """Return the record of a post, or None."""
        note((POST, slug))
        return self.index.by_slug.get(slug)

    def __getitem__(self, slug: str) -> PostRecord:
        """Return the record of a post; raises KeyError if the locale does not have it."""
        note((POST, slug))
        return self.index.by_slug[slug]

    def at(self, now: datetime) -> PostRecords:
        """Return the posts published at that instant, newest first."""
        self._note(ORDER)
        return self.index.at(now)

    def among_at(self, slugs: Iterable[str], now: datetime) -> PostRecords:
        """Return the posts of some slugs published at that instant, in the order of the slugs."""
        self._note(ORDER)
        return self.index.among_at(slugs, now)

    def of_term(self, kind: AnyContentType, slug: str) -> PostRecords:
        """Return all posts of a category, tag or author, newest first."""
        self._note(kind, slug)
        return self.index.of_term(kind, slug)

    def of_term_at(self, kind: AnyContentType, slug: str, now: datetime) -> PostRecords:
        """Return the posts of a category, tag or author published at that instant."""
        self._note(kind, slug)
        return self.index.of_term_at(kind, slug, now)

    def sharing_tags(self, record: PostRecord) -> Iterator[PostRecord]:
        """Return the other posts with a tag of one: those that share the most, newest first."""
        for tag in record.tags:
            self._note(TAG, tag)
        return self.index.sharing_tags(record)

    def of_series(self, slug: str) -> PostRecords:
        """Return all posts of a series."""
        self._note(SERIES, slug)
        return self.index.by_series.get(slug, ())

    def previous_and_next(
        self, record: PostRecord, now: datetime
    ) -> tuple[PostRecord | None, PostRecord | None]:
        """Return the next older and the next newer post published at that instant."""
        self._note(NEIGHBOURS, record.slug)
        older, newer = self.index.around(record)
        return self._first_published(older, now), self._first_published(newer, now)

    @property
    def is_empty(self) -> bool:
        """Whether there is no post, published or not."""
        return not self._has(1, self.index.records, posts_key(self.language, ORDER))

    def has_published(self, now: datetime) -> bool:
        """Return whether a post is published at that instant."""
        published = (each for each in self.index.records if each.is_published_at(now))
        return self._has(1, published, posts_key(self.language, ORDER))

    def has_published_of(
        self, kind: AnyContentType, slug: str, now: datetime, needed: int = 1
    ) -> bool:
        """Return whether a term has as many posts published at that instant."""
        records = self.index.of_term(kind, slug)
        published = (each for each in records if each.is_published_at(now))
        return self._has(needed, published, posts_key(self.language, kind, slug))

    def _has(self, needed: int, records: Iterable[PostRecord], whole: Key) -> bool:
        """Return whether there are so many; then it depends on the places of those only."""
        found = list(islice(records, needed))
        if len(found) < needed:
            note(whole)
            return False
        for record in found:
            self._note(PLACE, record.slug)
        return True

    def _first_published(self, records: Iterator[PostRecord], now: datetime) -> PostRecord | None:
        """Return the first published one; it depends on the neighbours of those before it too."""
        for record in records:
            if record.is_published_at(now):
                return record
            self._note(NEIGHBOURS, record.slug)
        return None

    def _note(self, *part: Key) -> None:
        note(posts_key(self.language, *part))
