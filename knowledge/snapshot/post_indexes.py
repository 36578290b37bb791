"""The post indexes of all locales, and the posts of one locale as resources read them.

Most edits of a post change its text, not its place in lists. Whoever reads a list therefore depends
on the places of its posts, and on the text of a post only through its document.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from threading import Lock

from knowledge.edits import Key, changed_keys, note
from knowledge.fields.blog_fields import PostFields
from knowledge.fields.content_types import POST, TAG, AnyContentType
from knowledge.locales.locale import Country, Language, Locale, Locales
from knowledge.snapshot.layer_resolution import Entry, is_country_specific
from knowledge.snapshot.post_index import (
    PostIndex,
    PostRecord,
    PostRecords,
    build_post_index,
    record_of,
    records_of,
)

Posts = Mapping[str, Entry[PostFields]]
NO_COUNTRIES = Locales()


class PostIndexesByLocale:
    """The post indexes of one snapshot, built lazily by language.

    Most posts are the same for all countries. Each language has one common index of those; the
    index of a country extends it with the country-specific posts.
    """

    def __init__(
        self,
        posts: Posts,
        locales: Locales = NO_COUNTRIES,
        country_specific: AbstractSet[str] | None = None,
    ) -> None:
        self._posts = posts
        self._locales = locales
        self._country_specific = (
            _country_specific(posts, posts) if country_specific is None else country_specific
        )
        self._common: dict[Language, PostIndex] = {}
        self._indexes: dict[Locale, PostIndex] = {}
        self._lock = Lock()

    def next_version(self, posts: Posts, locales: Locales) -> PostIndexesByLocale:
        """Return the indexes of the next snapshot.

        Languages already built here are updated at once, so that requests do not wait for them.
        """
        if locales != self._locales:
            return PostIndexesByLocale(posts, locales)
        changed = changed_keys(self._posts, posts)
        country_specific = (self._country_specific - changed) | _country_specific(posts, changed)
        successor = PostIndexesByLocale(posts, locales, country_specific)
        with self._lock:
            for language in self._common:
                successor._update_from(self, language, changed)
        return successor

    def built(self, language: Language) -> list[PostIndex]:
        """Return the indexes of a language by country; none if it has not been built."""
        if language not in self._common:
            return []
        return [self._indexes[Locale(each, language)] for each in self._locales.audiences]

    def of(self, locale: Locale) -> PostIndex:
        """Return the index of a locale; all locales of a language are built on first use."""
        if locale not in self._indexes:
            with self._lock:
                if locale not in self._indexes:
                    self._build(locale.language)
        return self._indexes[locale]

    def _build(self, language: Language) -> None:
        shared, by_country = self._records(self._posts.keys(), language)
        common = build_post_index(shared)
        for country in self._locales.audiences:
            self._indexes[Locale(country, language)] = common.updated((), by_country[country])
        self._common[language] = common

    def _update_from(
        self, before: PostIndexesByLocale, language: Language, changed: AbstractSet[str]
    ) -> None:
        shared, by_country = self._records(changed & self._posts.keys(), language)
        common = before._common[language]
        self._common[language] = common.updated(changed, shared)
        for country in self._locales.audiences:
            locale = Locale(country, language)
            index = before._indexes[locale]
            if index is common and not by_country[country]:
                self._indexes[locale] = self._common[language]
            else:
                self._indexes[locale] = index.updated(changed, [*shared, *by_country[country]])

    def _records(
        self, slugs: AbstractSet[str], language: Language
    ) -> tuple[list[PostRecord], Mapping[Country | None, list[PostRecord]]]:
        """Return the records shared by all countries, and the country-specific ones."""
        locale = Locale(None, language)
        elsewhere = self._country_specific
        found = (record_of(self._posts[slug], locale) for slug in slugs if slug not in elsewhere)
        shared = [record for record in found if record is not None]
        by_country: defaultdict[Country | None, list[PostRecord]] = defaultdict(list)
        for slug in slugs & self._country_specific:
            for country, record in records_of(self._posts[slug], language, self._locales.audiences):
                by_country[country].append(record)
        return shared, by_country


def _country_specific(posts: Posts, slugs: Iterable[str]) -> AbstractSet[str]:
    """Return the slugs of the posts that differ between countries."""
    return {slug for slug in slugs if slug in posts and is_country_specific(posts[slug])}


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
