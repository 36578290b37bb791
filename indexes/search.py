"""Search: one edition's index of all public pages, in every locale.

The texts of a language lie in a catalogue, the Whoosh index, and in a pile of what was edited
since. Neither is ever changed: an edit makes a new index that shares the old catalogue and has
the edited texts on its pile, and is live at once. When a pile has grown, new catalogues are made
beside the readers. What a search finds, and its order, does not depend on where a text lies.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from threading import Lock

from indexes.analysis import query_terms
from indexes.apart import index_made_apart
from indexes.breath import Breathe, hold_no_breath
from indexes.catalogue import Catalogue, index_of
from indexes.hits import Body
from indexes.nearest import NearestPages
from indexes.page_text import NOTHING, Gathered, PageText, Texts, gather, newest_first
from indexes.pile import Pile
from indexes.ranking import Portion, ranked
from indexes.remembered import Remembered
from indexes.vocabulary import Vocabulary
from knowledge.addresses import Page
from knowledge.content_view import ContentView
from knowledge.locale import Country, Language, Locale
from knowledge.snapshot import Snapshot
from knowledge.word_lists import NO_WORD_LISTS, WordLists

log = logging.getLogger(__name__)

_SMALL_PILE = 100
_SMALL_SHARE = 0.05
_MANY_TEXTS = 500
"""From so many on starting a process takes less than it gives."""

Catalogues = Mapping[Language, Catalogue]


class SearchIndex:
    """Finds pages by the words of readers; never changed, only replaced."""

    def __init__(
        self,
        snapshot: Snapshot,
        vocabulary: Vocabulary,
        catalogues: Catalogues,
        gathered: Gathered | None = None,
        before: Gathered = NOTHING,
    ) -> None:
        self.vocabulary = vocabulary
        self.catalogues = catalogues
        self._snapshot = snapshot
        self._taken = gathered
        self._before = before
        self._taking = Lock()
        self._remembered = Remembered()

    @property
    def gathered(self) -> Gathered:
        """The texts of the snapshot, taken when they are first needed."""
        return self.gather(hold_no_breath)

    def gather(self, breathe: Breathe) -> Gathered:
        """The same; takes seconds where there are many for the first time, and breathes often."""
        with self._taking:
            if self._taken is None:
                self._taken = gather(self._snapshot, self._before, breathe)
                self._before = NOTHING
            return self._taken

    def updated(self, snapshot: Snapshot, lists: WordLists) -> SearchIndex:
        """The index of the next snapshot, made of this one and what changed."""
        before = self._taken or self._before
        if lists == self.vocabulary.lists:
            return SearchIndex(snapshot, self.vocabulary, self.catalogues, before=before)
        return SearchIndex(snapshot, Vocabulary(lists), {}, before=before)

    @property
    def is_settled(self) -> bool:
        """Whether so few texts lie on piles that reading them takes no time."""
        return all(self._spoken[language].is_settled for language in Language)

    def new_catalogues(self, breathe: Breathe = hold_no_breath) -> Catalogues:
        """Catalogues of all texts; takes seconds where there are many, and breathes often."""
        gathered = self.gather(breathe)
        return {
            language: self._catalogue(newest_first(gathered.spoken(language)), breathe)
            for language in Language
        }

    def _catalogue(self, texts: Texts, breathe: Breathe) -> Catalogue:
        folded = [(text.title, text.excerpt) for text in texts]
        if len(texts) >= _MANY_TEXTS:
            try:
                return Catalogue(texts, index_made_apart(folded, self.vocabulary, breathe))
            except OSError as error:
                log.warning("The search index is made among the readers: %s", error)
        return Catalogue(texts, index_of(folded, self.vocabulary, breathe))

    def resting_on(self, catalogues: Catalogues) -> SearchIndex:
        """The same texts over other catalogues of the same vocabulary."""
        return SearchIndex(self._snapshot, self.vocabulary, catalogues, self._taken, self._before)

    def find(self, locale: Locale, query: str) -> Sequence[PageText]:
        """The texts of a locale that have every term, best first, those not yet due among them."""
        terms = query_terms(query, self.vocabulary)
        if not terms:
            return ()
        spoken = self._spoken[locale.language]
        key = (locale, tuple(term.letters for term in terms))
        return self._remembered.get(key, lambda: ranked(spoken.portions(locale.country), terms))

    def posts(self, view: ContentView, query: str) -> Sequence[str]:
        """Slugs of the posts that fit, best first, those not yet due among them."""
        found = self.find(view.locale, query)
        return [text.address.slug for text in found if text.address.page is Page.POST]

    def nearest(self, view: ContentView, path: str) -> Iterator[PageText]:
        """Pages whose address looks like a path, for these readers at this instant, best first."""
        found = self._spoken[view.locale.language].nearest.find(path)
        return (text for text in found if text.is_for(view.locale.country, view.now))

    def near(self, language: Language, word: str) -> Iterator[str]:
        """Words of the texts that look like a word, nearest first, body by body."""
        bodies = self._spoken[language].bodies
        return iter(dict.fromkeys(other for body in bodies for other in body.near(word)))

    @cached_property
    def _spoken(self) -> Mapping[Language, _Spoken]:
        return {
            language: _Spoken(
                list(self.gathered.spoken(language)),
                self.catalogues.get(language),
                self.vocabulary,
            )
            for language in Language
        }


class _Spoken:
    """The bodies of one language's texts, and whom each text is not for."""

    def __init__(
        self, texts: Sequence[PageText], catalogue: Catalogue | None, vocabulary: Vocabulary
    ) -> None:
        self._texts = texts
        current, catalogued = set(texts), catalogue.texts if catalogue else ()
        pile = Pile(current.difference(catalogued), vocabulary)
        self.bodies: Sequence[Body] = (catalogue, pile) if catalogue else (pile,)
        self.is_settled = len(pile.texts) <= max(_SMALL_PILE, _SMALL_SHARE * len(catalogued))
        self._outdated = [
            {number for number, text in enumerate(body.texts) if text not in current}
            for body in self.bodies
        ]
        self._portions: dict[Country, Sequence[Portion]] = {}

    @cached_property
    def nearest(self) -> NearestPages:
        """The way to them by address."""
        return NearestPages(self._texts)

    def portions(self, country: Country) -> Sequence[Portion]:
        """The bodies as readers of a country have them."""
        if country not in self._portions:
            self._portions[country] = [
                Portion(body, outdated | _not_for(country, body))
                for body, outdated in zip(self.bodies, self._outdated, strict=True)
            ]
        return self._portions[country]


def _not_for(country: Country, body: Body) -> AbstractSet[int]:
    return {number for number, text in enumerate(body.texts) if country not in text.countries}


def first_index(snapshot: Snapshot, lists: WordLists = NO_WORD_LISTS) -> SearchIndex:
    """An index that answers at once, all its texts on piles."""
    return SearchIndex(snapshot, Vocabulary(lists), {})
