"""Shelves: the posts of every locale; what locales have in common stands there once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from threading import Lock

from knowledge.audience import tells_countries_apart
from knowledge.differences import differing
from knowledge.locale import DEFAULT_LOCALE, Language, Locale
from knowledge.resolution import Entry
from knowledge.shelf import Card, Shelf, card_of, make_shelf

Posts = Mapping[str, Entry]
_ANYWHERE = DEFAULT_LOCALE.country


class Shelves:
    """The shelves of one snapshot's posts.

    Most posts are the same for all countries: each language has one shelf of those, and a
    locale's is made of it and of the posts that tell countries apart.
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
        changed = differing(self._posts, posts)
        particular = (self._particular - changed) | _particular(posts, changed)
        following = Shelves(posts, particular)
        with self._lock:
            for language, shelf in self._common.items():
                following._exchange_common(language, shelf, changed)
            for locale, shelf in self._shelves.items():
                is_common = shelf is self._common[locale.language]
                following._exchange(locale, shelf, changed, is_common)
        return following

    def _exchange_common(self, language: Language, shelf: Shelf, changed: AbstractSet[str]) -> None:
        cards = self._cards(changed - self._particular, Locale(_ANYWHERE, language))
        self._common[language] = shelf.exchanged(changed, cards)

    def _exchange(
        self, locale: Locale, shelf: Shelf, changed: AbstractSet[str], is_common: bool
    ) -> None:
        if is_common and self._particular.isdisjoint(changed):
            self._shelves[locale] = self._common[locale.language]
        else:
            self._shelves[locale] = shelf.exchanged(changed, self._cards(changed, locale))

    def of(self, locale: Locale) -> Shelf:
        """The shelf of a locale; made when first asked for, then kept."""
        found = self._shelves.get(locale)
        if found is None:
            with self._lock:
                found = self._shelves.setdefault(locale, self._made(locale))
        return found

    def _made(self, locale: Locale) -> Shelf:
        common = self._common.get(locale.language)
        if common is None:
            slugs = self._posts.keys() - self._particular
            common = make_shelf(self._cards(slugs, Locale(_ANYWHERE, locale.language)))
            self._common[locale.language] = common
        return common.exchanged((), self._cards(self._particular, locale))

    def _cards(self, slugs: Iterable[str], locale: Locale) -> list[Card]:
        entries = (self._posts[slug] for slug in slugs if slug in self._posts)
        cards = (card_of(entry, locale) for entry in entries)
        return [card for card in cards if card is not None]


def _particular(posts: Posts, slugs: Iterable[str]) -> AbstractSet[str]:
    """Those of the posts that tell countries apart."""
    return {slug for slug in slugs if slug in posts and tells_countries_apart(posts[slug])}
