"""A segment: an immutable set of posts of one language, and the posts in it that match a term."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice

from indexes.blog.documents import EXCERPT, STEMS, TITLE, WORDS
from indexes.blog.post import Post
from indexes.blog.postings import Postings
from indexes.text.analysis import Term, words
from indexes.text.lexicon import Lexicon
from knowledge.locales.locale import Country

_MAX_SPELLINGS = 24
"""If more spellings contain a term, the texts are scanned instead of the spellings' postings."""

Counts = Mapping[int, int]
"""Frequency of a term in one field, at least 1, by the number of the post."""


@dataclass(frozen=True, slots=True)
class Hits:
    """The posts that match one term; in `exact_…` it is a whole word, spelt as in the query.

    A term whose parts are spread over title and excerpt counts as a hit in the excerpt.
    """

    title: Counts
    excerpt: Counts
    exact_title: AbstractSet[int]
    exact_excerpt: AbstractSet[int]


@dataclass(frozen=True, slots=True)
class Spellings:
    """The spellings of a segment, by number, with the postings of their stems and words."""

    lexicon: Lexicon
    postings: Postings

    def with_any(self, field: str, terms: Iterable[str]) -> list[str]:
        """Return the spellings that have any of some stems or words."""
        lists = (self.postings.numbers(field, term) for term in terms)
        return [self.lexicon[number] for number in set(chain.from_iterable(lists))]

    def holding(self, letters: str) -> list[str] | None:
        """Return the spellings that contain letters, or None if there are too many."""
        numbers = list(islice(self.lexicon.holding(letters), _MAX_SPELLINGS + 1))
        if len(numbers) > _MAX_SPELLINGS:
            return None
        return [self.lexicon[number] for number in numbers]


@dataclass(frozen=True, slots=True)
class _Field:
    """One field of all posts of a segment."""

    name: str
    texts: Lexicon
    postings: Postings

    def numbers(self, spellings: Iterable[str]) -> set[int]:
        """Return the posts that have any of some spellings."""
        lists = (self.postings.numbers(self.name, spelling) for spelling in spellings)
        return set(chain.from_iterable(lists))

    def holding(self, letters: str, spellings: Iterable[str] | None) -> set[int]:
        """Return the posts that contain letters; `spellings` are those that do, if they are few."""
        if spellings is None:
            return set(self.texts.holding(letters))
        return self.numbers(spellings)

    def counts(self, spellings: Iterable[str], holding: Iterable[int]) -> dict[int, int]:
        """Return how often posts have any of some spellings; once for those in `holding`."""
        lists = (self.postings.numbers(self.name, spelling) for spelling in spellings)
        return {**dict.fromkeys(holding, 1), **Counter(chain.from_iterable(lists))}


class Segment:
    """Posts, numbered in the order in which ties are shown."""

    def __init__(
        self,
        posts: Sequence[Post],
        texts: Mapping[str, Lexicon],
        postings: Postings,
        spellings: Spellings,
    ) -> None:
        self.posts = posts
        self.slugs = [post.slug for post in posts]
        self._title, self._excerpt = (
            _Field(name, texts[name], postings) for name in (TITLE, EXCERPT)
        )
        self._spellings = spellings

    def hits(self, term: Term) -> Hits:
        """Return the posts that match a term, by its letters or by its stems."""
        holding = self._spellings.holding(term.letters)
        by_stems = self._spellings.with_any(STEMS, term.stems)
        fields = (self._title, self._excerpt)
        in_title, in_excerpt = (field.holding(term.letters, holding) for field in fields)
        title = self._title.counts(by_stems, in_title)
        excerpt = self._excerpt.counts(by_stems, in_excerpt)
        if term.parts:
            self._add_parts(term, title, excerpt)
        if term.is_word:
            exact = self._spellings.with_any(WORDS, [term.letters])
            in_title, in_excerpt = (field.numbers(exact) for field in fields)
        return Hits(title, excerpt, in_title, in_excerpt)

    def _add_parts(self, term: Term, title: dict[int, int], excerpt: dict[int, int]) -> None:
        """Add the posts that have a stem of each part, within one field or across both."""
        parts = [self._spellings.with_any(STEMS, part) for part in term.parts]
        in_title, in_excerpt = (
            [field.numbers(part) for part in parts] for field in (self._title, self._excerpt)
        )
        for number in set.intersection(*in_title):
            title.setdefault(number, 1)
        across_fields = set.intersection(*map(set.union, in_title, in_excerpt)) - title.keys()
        for number in across_fields | set.intersection(*in_excerpt):
            excerpt.setdefault(number, 1)

    def near(self, word: str) -> Sequence[str]:
        """Return the words of the posts that are similar to a word, most similar first."""
        return self._words.near(word)

    @cached_property
    def _words(self) -> Lexicon:
        return Lexicon(
            sorted({word for spelling in self._spellings.lexicon for word in words(spelling)})
        )

    def numbers_of(self, slugs: AbstractSet[str]) -> AbstractSet[int]:
        """Return the numbers of some posts."""
        if not slugs:
            return frozenset()
        return {number for number, post in enumerate(self.posts) if post.slug in slugs}

    def hidden_in(self, country: Country | None) -> AbstractSet[int]:
        """Return the numbers of the posts that readers of a country do not see."""
        return {number for number, post in enumerate(self.posts) if country not in post.countries}
