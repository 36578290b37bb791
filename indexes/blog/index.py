"""The index of the blog: a base, a delta with edited posts, and suggestions of queries.

An edit creates another `BlogIndex`, which shares the base. The results and their order do not
depend on which of the two has a post.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from importlib.metadata import version
from itertools import chain, islice
from pathlib import Path

from whoosh.index import IndexError  # noqa: A004 - Whoosh's own

from indexes.bases import EditedPages, Progress, is_small
from indexes.blog.ranking import best_tier
from indexes.blog.segment import Posts, PostSegment, PostText, open_segment, write_segment
from indexes.text.analysis import QueryTerm, query_terms
from indexes.text.words import Vocabulary, fold, is_question_word, synonym_words
from knowledge.fields.content_types import POST
from knowledge.locales.locale import Locale
from knowledge.resources.blog import excerpt_of
from knowledge.resources.document_page import title_of
from knowledge.views.content_view import ContentView

_MIN_RESULTS, _MAX_RESULTS, _MAX_SLUGS = 16, 1_024, 2_000_000
"""So many results are kept that they have no more slugs than these, about 16 MB."""

Groups = Iterable[Iterable[str]]
"""Groups of synonyms; those of several words do not count."""

_VERSION = 7
"""To be raised with each change of what is indexed, so that older bases are not used."""


@dataclass(frozen=True, slots=True)
class PostBase:
    """One segment, or none yet, and the version of each post in it."""

    segments: Sequence[PostSegment]
    versions: Mapping[str, str]


class BlogEngine:
    """Writes and opens bases with Whoosh, in the terms of one vocabulary."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    @property
    def digest(self) -> str:
        """Names software and analysis."""
        return f"{_VERSION} {version('whoosh-reloaded')} {self._vocabulary.fingerprint}"

    def write(self, posts: Posts, folder: Path | None, progress: Progress) -> PostBase:
        """Write a base to an empty folder, or to memory."""
        versions = dict(posts.versions)
        texts: list[PostText] = []
        for done, slug in enumerate(versions, start=1):
            texts += posts.texts(slug)
            progress(done, len(versions))
        return PostBase([write_segment(texts, self._vocabulary, folder)], versions)

    def open(self, folder: Path, versions: Mapping[str, str]) -> PostBase:
        """Open the base of these posts; raise OSError or ValueError if it is damaged."""
        try:
            return PostBase([open_segment(folder, self._vocabulary)], versions)
        except IndexError as error:
            raise ValueError(str(error)) from error


class BlogIndex:
    """Finds posts by their words. It never changes: `updated` returns the next one."""

    def __init__(
        self,
        base: PostBase,
        vocabulary: Vocabulary,
        edits: EditedPages[PostText] | None = None,
        versions: Mapping[str, str] | None = None,
        synonyms: Groups = (),
    ) -> None:
        self._base = base
        self.vocabulary = vocabulary
        self._edits = edits or EditedPages.none()
        self.versions = base.versions if versions is None else versions
        """The version of each post in the index, by slug."""
        self._synonyms = [
            {*chain.from_iterable(vocabulary.stems(*w) for w in synonym_words(each) if len(w) == 1)}
            for each in synonyms
        ]
        segments = [(segment, self._edits.outdated) for segment in base.segments]
        if self._edits.edited:
            segments.append((write_segment(self._edits.texts, vocabulary), frozenset()))
        self._segments = segments
        # Not methods of its own: in a circle of references it would outlive the next edition.
        visible = cache(lambda where: [(each, each.visible_in(where, w)) for each, w in segments])
        size = max(_MIN_RESULTS, min(_MAX_RESULTS, _MAX_SLUGS // (len(self.versions) + 1)))
        self._tier = lru_cache(size)(partial(best_tier, visible))

    def updated(self, posts: Posts, synonyms: Groups = ()) -> BlogIndex:
        """Return the index of other posts on the same base, with synonyms as `with_synonyms`."""
        edits = self._edits.next(self._base.versions, self.versions, posts.versions, posts.texts)
        return BlogIndex(self._base, self.vocabulary, edits, posts.versions, synonyms)

    def with_synonyms(self, synonyms: Groups) -> BlogIndex:
        """Return the index of the same posts, with other synonyms besides its vocabulary's."""
        return BlogIndex(self._base, self.vocabulary, self._edits, self.versions, synonyms)

    @property
    def is_settled(self) -> bool:
        """Whether the delta is so small that no new base is due."""
        base = self._base.versions
        return is_small(len(self._edits), len(base)) and bool(base or not self._edits)

    def words(self, query: str) -> Sequence[str]:
        """Return the words of a query that count, folded."""
        return [term.letters for term in self._terms(query)]

    def find(self, locale: Locale, query: str) -> Sequence[str]:
        """Return the slugs of the posts of a locale that match every term, best first.

        They include posts that are not published at the moment; callers filter by time.
        """
        terms = self._terms(query)
        most, slugs = self._tier(locale, terms, len(terms))
        return slugs if most == len(terms) else ()

    def closest(self, locale: Locale, query: str) -> Iterator[Sequence[str]]:
        """Yield the posts that match the most terms, then those that match fewer, like `find`."""
        terms = self._terms(query)
        limit = len(terms)
        while limit > 0:
            most, slugs = self._tier(locale, terms, limit)
            yield slugs
            limit = most - 1

    def _terms(self, query: str) -> tuple[QueryTerm, ...]:
        terms = query_terms(query.encode(errors="ignore").decode(), self.vocabulary)
        return tuple(replace(term, stems=self._with_synonyms(term.stems)) for term in terms)

    def _with_synonyms(self, stems: Sequence[str]) -> tuple[str, ...]:
        groups = (group for group in self._synonyms if not group.isdisjoint(stems))
        return (*stems, *sorted(chain.from_iterable(groups)))

    def near(self, word: str) -> Iterator[str]:
        """Return indexed words similar to a word: those of the base first, most similar first."""
        return iter(dict.fromkeys(other for each, _ in self._segments for other in each.near(word)))


_MOST_TERMS, _MOST_TRIES, _LONGEST = 6, 8, 100
_SPELT = re.compile("[\\w\u0610-\u061a\u064b-\u065f\u0670\u0640]+")
"""A word as its author spelt it, including Arabic vowel signs."""


class Suggestions:
    """Suggests queries for a view; `is_there` decides which slugs are of visible posts."""

    def __init__(
        self, index: BlogIndex, view: ContentView, is_there: Callable[[str], bool]
    ) -> None:
        self._index = index
        self._view = view
        self._is_there = is_there

    def instead_of(self, query: str) -> str | None:
        """Return a query with results: misspelt words corrected, the more common ones left out.

        Words that only ask are left out; the rarest word stays.
        """
        typed = self._index.words(query)[:_MOST_TERMS]
        corrected = dict.fromkeys(filter(None, map(self._corrected, typed)))
        words = [word for word in corrected if not is_question_word(fold(word))]
        find = partial(self._index.find, self._view.locale)
        rarest_first = sorted(words, key=lambda word: len(find(word)))
        for count in range(len(words), 0, -1):
            kept = " ".join(word for word in words if word in rarest_first[:count])
            if len(kept) <= _LONGEST and any(self._visible(kept)):
                return kept
        return None

    def _corrected(self, letters: str) -> str | None:
        """Return the word if it has results, else the most similar word that does."""
        if any(self._visible(letters)):
            return letters
        near = islice(self._index.near(letters), _MOST_TRIES)
        return next(filter(None, map(self._spelling, near)), None)

    def _visible(self, query: str) -> Iterator[str]:
        return filter(self._is_there, self._index.find(self._view.locale, query))

    def _spelling(self, word: str) -> str | None:
        """Return an indexed word as a visible post spells it; None if it is in no visible post."""
        posts = (self._view.resolve(POST, slug) for slug in islice(self._visible(word), 3))
        shown = (f"{title_of(post)} {excerpt_of(post)}" for post in posts if post is not None)
        spelt = chain.from_iterable(map(_SPELT.findall, shown))
        return next((each for each in spelt if fold(each) == word), None)
