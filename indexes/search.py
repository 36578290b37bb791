"""Search: the index of all public pages of one edition, in every locale.

For each language there is a main index (`Catalogue`, built with Whoosh) and a delta index of the
texts edited since (`Pile`). Both are immutable. An edit creates a new `SearchIndex` that shares
the main index and has the edited texts in its delta index; it is live at once. When a delta index
grows too large, new main indexes are built in the background. The results and their order do not
depend on which of the two holds a text.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from threading import Lock

from indexes.analysis import Term, query_terms
from indexes.apart import index_made_apart
from indexes.breath import Breathe, hold_no_breath
from indexes.catalogue import Catalogue, index_of
from indexes.hits import Body
from indexes.nearest import NearestPages
from indexes.page_text import NOTHING, Gathered, PageText, Texts, gather, newest_first
from indexes.pile import Pile
from indexes.ranking import Portion, Tier, best_tier
from indexes.remembered import Remembered
from indexes.vocabulary import Vocabulary
from knowledge.content_types import POST
from knowledge.content_view import ContentView
from knowledge.locale import Country, Language, Locale
from knowledge.page_type import PAGE_TYPES
from knowledge.snapshot import Snapshot
from knowledge.word_lists import NO_WORD_LISTS, WordLists

log = logging.getLogger(__name__)

_SMALL_PILE = 100
_SMALL_SHARE = 0.05
"""A delta index is due for compaction if it exceeds both: texts, and share of the main index."""
_MANY_TEXTS = 500
"""The number of texts from which building in a subprocess pays off."""

Catalogues = Mapping[Language, Catalogue]


class SearchIndex:
    """Finds pages by their words. Its texts never change; an edit replaces the index."""

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
        self._gathered = gathered
        self._before = before
        self._gather_lock = Lock()
        self._results = Remembered()

    @property
    def gathered(self) -> Gathered:
        """The texts of the snapshot, gathered on first use."""
        return self.gather(hold_no_breath)

    def gather(self, breathe: Breathe) -> Gathered:
        """Return the texts of the snapshot; the first call may take seconds and calls `breathe`."""
        with self._gather_lock:
            if self._gathered is None:
                self._gathered = gather(self._snapshot, self._before, breathe)
                self._before = NOTHING
            return self._gathered

    def updated(self, snapshot: Snapshot, lists: WordLists) -> SearchIndex:
        """Return the index of the next snapshot, which reuses the unchanged texts of this one."""
        before = self._gathered or self._before
        if lists == self.vocabulary.lists:
            return SearchIndex(snapshot, self.vocabulary, self.catalogues, before=before)
        return SearchIndex(snapshot, Vocabulary(lists), {}, before=before)

    @property
    def is_settled(self) -> bool:
        """Whether the delta indexes are so small that no compaction is necessary."""
        return all(self._by_language[language].is_settled for language in Language)

    def new_catalogues(self, breathe: Breathe = hold_no_breath) -> Catalogues:
        """Build main indexes of all texts; may take seconds and calls `breathe` regularly."""
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
                log.warning(
                    "Could not build the search index in a subprocess; building in-process: %s",
                    error,
                )
        return Catalogue(texts, index_of(folded, self.vocabulary, breathe))

    def resting_on(self, catalogues: Catalogues) -> SearchIndex:
        """Return an index of the same texts with other main indexes of the same vocabulary."""
        return SearchIndex(
            self._snapshot, self.vocabulary, catalogues, self._gathered, self._before
        )

    def find(self, locale: Locale, query: str) -> Sequence[PageText]:
        """Return the texts of a locale that match every term, best first.

        They include texts that are not published at the moment; callers filter by time.
        """
        terms = query_terms(query, self.vocabulary)
        tier = self._tier(locale, terms, len(terms))
        return tier.texts if tier.terms == len(terms) else ()

    def closest(self, locale: Locale, query: str) -> Iterator[Sequence[PageText]]:
        """Yield the texts that match the most terms, then those that match fewer, like `find`."""
        terms = query_terms(query, self.vocabulary)
        limit = len(terms)
        while limit > 0:
            tier = self._tier(locale, terms, limit)
            yield tier.texts
            limit = tier.terms - 1

    def _tier(self, locale: Locale, terms: Sequence[Term], limit: int) -> Tier:
        if not terms:
            return Tier(0, ())
        language_index = self._by_language[locale.language]
        key = (locale, tuple(term.letters for term in terms), limit)
        return self._results.get(
            key, lambda: best_tier(language_index.portions(locale.country), terms, limit)
        )

    def closest_posts(self, view: ContentView, query: str) -> Iterator[Sequence[str]]:
        """Yield the slugs of the posts in `closest`, unpublished ones included."""
        page = PAGE_TYPES.by_content_type[POST]
        for texts in self.closest(view.locale, query):
            yield [text.address.slug for text in texts if text.address.page is page]

    def nearest(self, view: ContentView, path: str) -> Iterator[PageText]:
        """Return the published pages whose slug is similar to a path, best first."""
        texts = self._by_language[view.locale.language].nearest.find(path)
        return (text for text in texts if text.is_for(view.locale.country, view.now))

    def near(self, language: Language, word: str) -> Iterator[str]:
        """Return indexed words similar to a word: main index first, each most similar first."""
        bodies = self._by_language[language].bodies
        return iter(dict.fromkeys(other for body in bodies for other in body.near(word)))

    @cached_property
    def _by_language(self) -> Mapping[Language, _LanguageIndex]:
        return {
            language: _LanguageIndex(
                list(self.gathered.spoken(language)),
                self.catalogues.get(language),
                self.vocabulary,
            )
            for language in Language
        }


class _LanguageIndex:
    """The main and delta index of one language."""

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
        self._portions: dict[Country | None, Sequence[Portion]] = {}

    @cached_property
    def nearest(self) -> NearestPages:
        """The search for similar addresses."""
        return NearestPages(self._texts)

    def portions(self, country: Country | None) -> Sequence[Portion]:
        """Return the main and delta index without the texts that the country does not see."""
        if country not in self._portions:
            self._portions[country] = [
                Portion(body, outdated | _hidden_in(country, body))
                for body, outdated in zip(self.bodies, self._outdated, strict=True)
            ]
        return self._portions[country]


def _hidden_in(country: Country | None, body: Body) -> AbstractSet[int]:
    return {number for number, text in enumerate(body.texts) if country not in text.countries}


def first_index(snapshot: Snapshot, lists: WordLists = NO_WORD_LISTS) -> SearchIndex:
    """Return an index that is ready at once, with all its texts in delta indexes."""
    return SearchIndex(snapshot, Vocabulary(lists), {})
