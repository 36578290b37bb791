"""The post indexes of all locales, which share records where the posts are the same."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from threading import Lock

from knowledge.edits.reads import changed_keys
from knowledge.fields.schemas import PostFields
from knowledge.locales.locale import Country, Language, Locale, Locales
from knowledge.snapshot.country_groups import is_country_specific
from knowledge.snapshot.layer_resolution import Entry
from knowledge.snapshot.post_index import (
    PostIndex,
    PostRecord,
    build_post_index,
    record_of,
    records_of,
)

Posts = Mapping[str, Entry[PostFields]]
NO_COUNTRIES = Locales()


class PostIndexes:
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

    def next_version(self, posts: Posts, locales: Locales) -> PostIndexes:
        """Return the indexes of the next snapshot.

        Languages already built here are updated at once, so that requests do not wait for them.
        """
        if locales != self._locales:
            return PostIndexes(posts, locales)
        changed = changed_keys(self._posts, posts)
        country_specific = (self._country_specific - changed) | _country_specific(posts, changed)
        successor = PostIndexes(posts, locales, country_specific)
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
        self, before: PostIndexes, language: Language, changed: AbstractSet[str]
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
