"""The main index: an immutable Whoosh index of the texts of one language.

It has four fields: the words of title and excerpt, and their stems. It returns the same hits as a
`Pile` of the same texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from threading import Lock

from whoosh.fields import KEYWORD, Schema

from indexes.analysis import Term, stems, words
from indexes.breath import TEXTS_A_BREATH, Breathe, hold_no_breath
from indexes.hits import Hits
from indexes.lexicon import Lexicon
from indexes.memory import Files, made_in_memory, opened
from indexes.page_text import PageText, Texts
from indexes.vocabulary import Vocabulary

TITLE, EXCERPT, TITLE_STEMS, EXCERPT_STEMS = "title", "excerpt", "title_stems", "excerpt_stems"
_FIELDS = (TITLE, EXCERPT, TITLE_STEMS, EXCERPT_STEMS)

_MAX_WORDS = 24
"""If more words contain a term, the texts are scanned instead of the words' posting lists."""

Folded = tuple[str, str]
"""The folded title and excerpt of one text."""


class Catalogue:
    """An immutable set of texts that is searched through its Whoosh index."""

    def __init__(self, texts: Texts, files: Files) -> None:
        self.texts: Sequence[PageText] = texts
        self._reader = opened(files)
        unique_words = {
            word.decode() for field in (TITLE, EXCERPT) for word in self._reader.lexicon(field)
        }
        self._words = Lexicon(sorted(unique_words))
        self._titles = Lexicon([text.title for text in self.texts])
        self._excerpts = Lexicon([text.excerpt for text in self.texts])
        self._lock = Lock()  # Whoosh readers share one file position

    def near(self, word: str) -> Sequence[str]:
        """Return the words of the texts that are similar to a word, most similar first."""
        return self._words.near(word)

    def hits(self, term: Term) -> Hits:
        """Return the texts that match a term, by its letters or by its stems."""
        with self._lock:
            in_title, in_excerpt = self._by_letters(term)
            title = self._counts(in_title, TITLE_STEMS, term)
            excerpt = self._counts(in_excerpt, EXCERPT_STEMS, term)
            if term.parts:
                self._add_parts(term, title, excerpt)
            if term.is_word:
                in_title = set(self._numbers(TITLE, term.letters))
                in_excerpt = set(self._numbers(EXCERPT, term.letters))
        return Hits(title, excerpt, in_title, in_excerpt)

    def _by_letters(self, term: Term) -> tuple[set[int], set[int]]:
        """Return the texts whose title, and those whose excerpt, contains the letters."""
        holding = list(islice(self._words.holding(term.letters), _MAX_WORDS + 1))
        if term.is_word and len(holding) <= _MAX_WORDS:
            matches = [self._words.words[number] for number in holding]
            return self._any_of(TITLE, matches), self._any_of(EXCERPT, matches)
        return set(self._titles.holding(term.letters)), set(self._excerpts.holding(term.letters))

    def _counts(self, by_letters: set[int], field: str, term: Term) -> dict[int, float]:
        """Return the frequency of the stem in each matching text; 1 if only the letters match."""
        counts = dict.fromkeys(by_letters, 1.0)
        for stem in term.stems:
            if (field, stem) in self._reader:
                postings = self._reader.postings(field, stem).counted()
                counts.update(
                    (number, count) for number, count in postings if count > counts.get(number, 0.0)
                )
        return counts

    def _add_parts(self, term: Term, title: dict[int, float], excerpt: dict[int, float]) -> None:
        """Add the texts that have a stem of each part, within one field or across both."""
        in_title = [self._any_of(TITLE_STEMS, part) for part in term.parts]
        in_excerpt = [self._any_of(EXCERPT_STEMS, part) for part in term.parts]
        for number in set.intersection(*in_title):
            title.setdefault(number, 1.0)
        across_fields = set.intersection(*map(set.union, in_title, in_excerpt)) - title.keys()
        for number in across_fields | set.intersection(*in_excerpt):
            excerpt.setdefault(number, 1.0)

    def _any_of(self, field: str, terms: Iterable[str]) -> set[int]:
        return set(chain.from_iterable(self._numbers(field, word) for word in terms))

    def _numbers(self, field: str, word: str) -> Iterable[int]:
        if (field, word) not in self._reader:
            return ()
        numbers: Iterable[int] = self._reader.postings(field, word).numbers()
        return numbers


def index_of(
    texts: Sequence[Folded], vocabulary: Vocabulary, breathe: Breathe = hold_no_breath
) -> Files:
    """Return the index of folded texts, numbered by their position in `texts`."""
    schema = Schema(**{field: KEYWORD() for field in _FIELDS})
    return made_in_memory(schema, _documents(texts, vocabulary, breathe))


def _documents(
    texts: Sequence[Folded], vocabulary: Vocabulary, breathe: Breathe
) -> Iterator[dict[str, list[str]]]:
    for number, (title, excerpt) in enumerate(texts):
        yield {
            TITLE: words(title),
            EXCERPT: words(excerpt),
            TITLE_STEMS: list(stems(title, vocabulary)),
            EXCERPT_STEMS: list(stems(excerpt, vocabulary)),
        }
        if number % TEXTS_A_BREATH == 0:
            breathe()
