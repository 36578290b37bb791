"""The index of the blog: a base, a delta with edited posts, and suggestions of queries.

An edit creates another `BlogIndex`, which shares the base. The results and their order do not
depend on which of the two has a post.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from importlib.metadata import version
from itertools import chain, islice
from pathlib import Path
from sys import byteorder

from whoosh.index import EmptyIndexError, IndexVersionError

from indexes.bases import EditedPages, Progress, is_small
from indexes.blog.ranking import Portion, Tier, best_tier
from indexes.blog.segment import (
    Posts,
    PostSegment,
    PostText,
    open_segment,
    segment_in_memory,
    write_segment,
)
from indexes.text.analysis import QueryTerm, query_terms
from indexes.text.words import Vocabulary, fold, is_question_word, synonym_words
from knowledge.fields.content_types import POST
from knowledge.locales.locale import Language, Locale
from knowledge.resources.blog import excerpt_of
from knowledge.resources.document_page import title_of
from knowledge.views.content_view import ContentView

_MAX_SLUGS = 2_000_000
_MIN_RESULTS, _MAX_RESULTS = 16, 1_024
"""So many results are kept that they have no more slugs than these, about 16 MB."""

Groups = Iterable[Iterable[str]]
"""Groups of synonyms; those of several words do not count."""

_VERSION = 5
"""To be raised with each change of what is indexed, so that older bases are not used."""


@dataclass(frozen=True, slots=True)
class PostBase:
    """The segment of each language, and the version of each post in them."""

    segments: Mapping[Language, PostSegment]
    versions: Mapping[str, str]


class BlogEngine:
    """Writes and opens bases with Whoosh, in the terms of one vocabulary."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    @property
    def digest(self) -> str:
        """Names software, analysis, and the byte order of the numbers."""
        return f"{_VERSION} {byteorder} {version('whoosh-reloaded')} {self._vocabulary.fingerprint}"

    def write(self, posts: Posts, folder: Path | None, progress: Progress) -> PostBase:
        """Write a base to an empty folder, or to memory."""
        versions = dict(posts.versions)
        by_language: dict[Language, list[PostText]] = {language: [] for language in Language}
        for done, slug in enumerate(versions, start=1):
            for text in posts.texts(slug):
                by_language[text.language].append(text)
            progress(done, len(versions))
        if folder is not None:
            for language, texts in by_language.items():
                write_segment(folder, language, texts, self._vocabulary)
            return self.open(folder, versions)
        segments = {
            language: segment_in_memory(texts, self._vocabulary)
            for language, texts in by_language.items()
        }
        return PostBase(segments, versions)

    def open(self, folder: Path, versions: Mapping[str, str]) -> PostBase:
        """Open the base of these posts; raise OSError or ValueError if it is damaged."""
        try:
            segments = {language: open_segment(folder, language) for language in Language}
        except (EmptyIndexError, IndexVersionError) as error:
            raise ValueError(str(error)) from error
        return PostBase(segments, versions)


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
        self._synonyms = [_stems_of(group, vocabulary) for group in synonyms]
        self._segments = {language: self._segments_of(language) for language in Language}
        # Not methods of its own: in a circle of references it would outlive the next edition.
        portions = lru_cache(maxsize=None)(partial(_portions, self._segments, base, self._edits))
        results = _MAX_SLUGS // max(len(self.versions), 1)
        size = max(_MIN_RESULTS, min(_MAX_RESULTS, results))
        self._tier = lru_cache(size)(partial(_best_tier, portions))

    def _segments_of(self, language: Language) -> Sequence[PostSegment]:
        base = self._base.segments.get(language)
        edited = [text for text in self._edits.texts if text.language is language]
        delta = segment_in_memory(edited, self.vocabulary) if edited or base is None else None
        return [segment for segment in (base, delta) if segment is not None]

    def updated(self, posts: Posts, synonyms: Groups = ()) -> BlogIndex:
        """Return the index of other posts on the same base.

        `synonyms` are those that its vocabulary does not have.
        """
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
        tier = self._tier(locale, terms, len(terms))
        return tier.slugs if tier.terms == len(terms) else ()

    def closest(self, locale: Locale, query: str) -> Iterator[Sequence[str]]:
        """Yield the posts that match the most terms, then those that match fewer, like `find`."""
        terms = self._terms(query)
        limit = len(terms)
        while limit > 0:
            tier = self._tier(locale, terms, limit)
            yield tier.slugs
            limit = tier.terms - 1

    def _terms(self, query: str) -> tuple[QueryTerm, ...]:
        terms = query_terms(query.encode(errors="ignore").decode(), self.vocabulary)
        return tuple(map(self._with_synonyms, terms))

    def _with_synonyms(self, term: QueryTerm) -> QueryTerm:
        groups = (group for group in self._synonyms if not group.isdisjoint(term.stems))
        added = sorted(chain.from_iterable(groups))
        return replace(term, stems=(*term.stems, *added)) if added else term

    def near(self, language: Language, word: str) -> Iterator[str]:
        """Return indexed words similar to a word: those of the base first, most similar first."""
        segments = self._segments[language]
        return iter(dict.fromkeys(other for segment in segments for other in segment.near(word)))


def _portions(
    segments: Mapping[Language, Sequence[PostSegment]],
    base: PostBase,
    edits: EditedPages[PostText],
    locale: Locale,
) -> Sequence[Portion]:
    """Return the base and the delta without the posts that the locale's country does not see."""
    return [
        Portion(
            segment,
            segment.hidden_in(locale.country)
            | (segment.numbers_of(edits.outdated) if segment in base.segments.values() else set()),
        )
        for segment in segments[locale.language]
    ]


def _best_tier(
    portions: Callable[[Locale], Sequence[Portion]],
    locale: Locale,
    terms: tuple[QueryTerm, ...],
    limit: int,
) -> Tier:
    return best_tier(portions(locale), terms, limit) if terms else Tier(0, ())


def _stems_of(group: Iterable[str], vocabulary: Vocabulary) -> frozenset[str]:
    words = (words[0] for words in synonym_words(group) if len(words) == 1)
    return frozenset(chain.from_iterable(map(vocabulary.stems, words)))


_MOST_TERMS = 6
_MOST_TRIES = 8
_LONGEST = 100
_SPELT = re.compile("[\\w\u0610-\u061a\u064b-\u065f\u0670\u0640]+")
"""A word as its author spelt it, including Arabic vowel signs."""

IsThere = Callable[[str], bool]


class Suggestions:
    """Suggests queries for a view; `is_there` decides which slugs are of visible posts."""

    def __init__(self, index: BlogIndex, view: ContentView, is_there: IsThere) -> None:
        self._index = index
        self._view = view
        self._is_there = is_there

    def instead_of(self, query: str) -> str | None:
        """Return a query with results: misspelt words corrected, the more common ones left out.

        Words that only ask are left out; the rarest word stays.
        """
        typed = self._index.words(query)[:_MOST_TERMS]
        corrected = [word for letters in typed if (word := self._corrected(letters))]
        words = [word for word in dict.fromkeys(corrected) if not is_question_word(fold(word))]
        find = partial(self._index.find, self._view.locale)
        rarest_first = sorted(words, key=lambda word: len(find(word)))
        for count in range(len(words), 0, -1):
            kept = " ".join(word for word in words if word in rarest_first[:count])
            if len(kept) <= _LONGEST and self._first(kept) is not None:
                return kept
        return None

    def _corrected(self, letters: str) -> str | None:
        """Return the word if it has results, else the most similar word that does."""
        if self._first(letters) is not None:
            return letters
        near = self._index.near(self._view.locale.language, letters)
        spellings = (self._spelling(word) for word in islice(near, _MOST_TRIES))
        return next(filter(None, spellings), None)

    def _first(self, query: str) -> str | None:
        return next(filter(self._is_there, self._index.find(self._view.locale, query)), None)

    def _spelling(self, word: str) -> str | None:
        """Return an indexed word as a visible post spells it; None if it is in no visible post."""
        for slug in islice(filter(self._is_there, self._index.find(self._view.locale, word)), 3):
            resolved = self._view.resolve(POST, slug)
            if resolved is not None:
                text_shown = f"{title_of(resolved)} {excerpt_of(resolved)}"
                for match in _SPELT.finditer(text_shown):
                    if fold(match[0]) == word:
                        return match[0]
        return None
