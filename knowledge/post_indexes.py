"""Shelves: the posts of every locale; what locales have in common stands there once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from threading import Lock

from knowledge.changed_keys import changed_keys
from knowledge.country_groups import is_country_specific
from knowledge.locale import DEFAULT_LOCALE, Country, Language, Locale
from knowledge.post_index import PostIndex, PostRecord, build_post_index, records_of
from knowledge.resolution import Entry

Posts = Mapping[str, Entry]
_ANY_COUNTRY = (DEFAULT_LOCALE.country,)


class PostIndexes:
    """The shelves of one snapshot's posts.

    Most posts are the same for all countries: each language has one shelf of those, and a
    country's is made of it and of the posts that tell countries apart.
    """

    def __init__(self, posts: Posts, country_specific: AbstractSet[str] | None = None) -> None:
        self._posts = posts
        self._country_specific = (
            _country_specific(posts, posts) if country_specific is None else country_specific
        )
        self._common: dict[Language, PostIndex] = {}
        self._indexes: dict[Locale, PostIndex] = {}
        self._lock = Lock()

    def next_version(self, posts: Posts) -> PostIndexes:
        """The shelves of the next snapshot; what is in use here is made there now.

        A reader of the next edition then waits for none of it.
        """
        changed = changed_keys(self._posts, posts)
        country_specific = (self._country_specific - changed) | _country_specific(posts, changed)
        following = PostIndexes(posts, country_specific)
        with self._lock:
            for language in self._common:
                following._continue_from(self, language, changed)
        return following

    def of(self, locale: Locale) -> PostIndex:
        """The shelf of a locale; made when its language is first asked for, then kept."""
        if locale not in self._indexes:
            with self._lock:
                if locale not in self._indexes:
                    self._make(locale.language)
        return self._indexes[locale]

    def _make(self, language: Language) -> None:
        shared, by_country = self._records(self._posts.keys(), language)
        common = build_post_index(shared)
        for country in Country:
            self._indexes[Locale(country, language)] = common.updated((), by_country[country])
        self._common[language] = common

    def _continue_from(
        self, before: PostIndexes, language: Language, changed: AbstractSet[str]
    ) -> None:
        shared, by_country = self._records(changed & self._posts.keys(), language)
        common = before._common[language]
        self._common[language] = common.updated(changed, shared)
        for country in Country:
            locale = Locale(country, language)
            index = before._indexes[locale]
            if index is common and not by_country[country]:
                self._indexes[locale] = self._common[language]
            else:
                fresh = [*shared, *by_country[country]]
                self._indexes[locale] = index.updated(changed, fresh)

    def _records(
        self, slugs: AbstractSet[str], language: Language
    ) -> tuple[list[PostRecord], Mapping[Country, list[PostRecord]]]:
        """The cards of posts that are the same everywhere, and of the others by country."""
        shared = [
            record
            for slug in slugs - self._country_specific
            for _, record in records_of(self._posts[slug], language, _ANY_COUNTRY)
        ]
        by_country: defaultdict[Country, list[PostRecord]] = defaultdict(list)
        for slug in slugs & self._country_specific:
            for country, record in records_of(self._posts[slug], language, Country):
                by_country[country].append(record)
        return shared, by_country


def _country_specific(posts: Posts, slugs: Iterable[str]) -> AbstractSet[str]:
    """Those of the posts that tell countries apart."""
    return {slug for slug in slugs if slug in posts and is_country_specific(posts[slug])}
