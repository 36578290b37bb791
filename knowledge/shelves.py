"""Shelves: the posts of every locale; what locales have in common stands there once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from threading import Lock

from knowledge.changed_keys import changed_keys
from knowledge.country_groups import is_country_specific
from knowledge.locale import DEFAULT_LOCALE, Country, Language, Locale
from knowledge.resolution import Entry
from knowledge.shelf import Card, Shelf, cards_of, make_shelf

Posts = Mapping[str, Entry]
_ANY_COUNTRY = (DEFAULT_LOCALE.country,)


class Shelves:
    """The shelves of one snapshot's posts.

    Most posts are the same for all countries: each language has one shelf of those, and a
    country's is made of it and of the posts that tell countries apart.
    """

    def __init__(self, posts: Posts, particular: AbstractSet[str] | None = None) -> None:
        self._posts = posts
        self._particular = _particular(posts, posts) if particular is None else particular
        self._common: dict[Language, Shelf] = {}
        self._shelves: dict[Locale, Shelf] = {}
        self._lock = Lock()

    def followed_by(self, posts: Posts) -> Shelves:
        """The shelves of the next snapshot; what is in use here is made there now.

        A reader of the next edition then waits for none of it.
        """
        changed = changed_keys(self._posts, posts)
        particular = (self._particular - changed) | _particular(posts, changed)
        following = Shelves(posts, particular)
        with self._lock:
            for language in self._common:
                following._follow(self, language, changed)
        return following

    def of(self, locale: Locale) -> Shelf:
        """The shelf of a locale; made when its language is first asked for, then kept."""
        if locale not in self._shelves:
            with self._lock:
                if locale not in self._shelves:
                    self._make(locale.language)
        return self._shelves[locale]

    def _make(self, language: Language) -> None:
        everybodys, some = self._cards(self._posts.keys(), language)
        common = make_shelf(everybodys)
        for country in Country:
            self._shelves[Locale(country, language)] = common.exchanged((), some[country])
        self._common[language] = common

    def _follow(self, before: Shelves, language: Language, changed: AbstractSet[str]) -> None:
        everybodys, some = self._cards(changed & self._posts.keys(), language)
        common = before._common[language]
        self._common[language] = common.exchanged(changed, everybodys)
        for country in Country:
            locale = Locale(country, language)
            shelf = before._shelves[locale]
            if shelf is common and not some[country]:
                self._shelves[locale] = self._common[language]
            else:
                fresh = [*everybodys, *some[country]]
                self._shelves[locale] = shelf.exchanged(changed, fresh)

    def _cards(
        self, slugs: AbstractSet[str], language: Language
    ) -> tuple[list[Card], Mapping[Country, list[Card]]]:
        """The cards of posts that are the same everywhere, and of the others by country."""
        everybodys = [
            card
            for slug in slugs - self._particular
            for _, card in cards_of(self._posts[slug], language, _ANY_COUNTRY)
        ]
        some: defaultdict[Country, list[Card]] = defaultdict(list)
        for slug in slugs & self._particular:
            for country, card in cards_of(self._posts[slug], language, Country):
                some[country].append(card)
        return everybodys, some


def _particular(posts: Posts, slugs: Iterable[str]) -> AbstractSet[str]:
    """Those of the posts that tell countries apart."""
    return {slug for slug in slugs if slug in posts and is_country_specific(posts[slug])}
