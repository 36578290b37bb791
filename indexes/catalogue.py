"""The catalogue: the Whoosh index of one language's texts, made once and never changed.

Four fields: the words of title and excerpt, and their stems. What it finds is what a pile of the
same texts finds.
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

_FEW_WORDS = 24
"""Up to so many words that hold a term their lists are read; beyond, the texts themselves are."""

Folded = tuple[str, str]
"""Title and excerpt of one text."""


class Catalogue:
    """A body of texts that answers from an index."""

    def __init__(self, texts: Texts, files: Files) -> None:
        self.texts: Sequence[PageText] = texts
        self._reader = opened(files)
        found = {
            word.decode() for field in (TITLE, EXCERPT) for word in self._reader.lexicon(field)
        }
        self._words = Lexicon(sorted(found))
        self._titles = Lexicon([text.title for text in self.texts])
        self._excerpts = Lexicon([text.excerpt for text in self.texts])
        self._lock = Lock()  # a reader of Whoosh moves one position through its files

    def near(self, word: str) -> Sequence[str]:
        """The words of the texts that look like a word, nearest first."""
        return self._words.near(word)

    def hits(self, term: Term) -> Hits:
        """Where a term is found, by its letters or by its stems."""
        with self._lock:
            in_title, in_excerpt = self._lettered(term)
            title = self._counted(in_title, TITLE_STEMS, term)
            excerpt = self._counted(in_excerpt, EXCERPT_STEMS, term)
            if term.parts:
                self._add_parts(term, title, excerpt)
            if term.is_word:
                in_title = set(self._numbers(TITLE, term.letters))
                in_excerpt = set(self._numbers(EXCERPT, term.letters))
        return Hits(title, excerpt, in_title, in_excerpt)

    def _lettered(self, term: Term) -> tuple[set[int], set[int]]:
        """The texts that hold the letters in their title, and in their excerpt."""
        holding = list(islice(self._words.holding(term.letters), _FEW_WORDS + 1))
        if term.is_word and len(holding) <= _FEW_WORDS:
            found = [self._words.words[number] for number in holding]
            return self._any_of(TITLE, found), self._any_of(EXCERPT, found)
        return set(self._titles.holding(term.letters)), set(self._excerpts.holding(term.letters))

    def _counted(self, lettered: set[int], field: str, term: Term) -> dict[int, float]:
        """How often the term's stem stands in each text of the field; 1 where letters alone do."""
        counts = dict.fromkeys(lettered, 1.0)
        for stem in term.stems:
            if (field, stem) in self._reader:
                found = self._reader.postings(field, stem).counted()
                counts.update(
                    (number, count) for number, count in found if count > counts.get(number, 0.0)
                )
        return counts

    def _add_parts(self, term: Term, title: dict[int, float], excerpt: dict[int, float]) -> None:
        """The texts that have a stem of each part, be it in title and excerpt between them."""
        titled = [self._any_of(TITLE_STEMS, part) for part in term.parts]
        told = [self._any_of(EXCERPT_STEMS, part) for part in term.parts]
        for number in set.intersection(*titled):
            title.setdefault(number, 1.0)
        between = set.intersection(*map(set.union, titled, told)) - title.keys()
        for number in between | set.intersection(*told):
            excerpt.setdefault(number, 1.0)

    def _any_of(self, field: str, found: Iterable[str]) -> set[int]:
        return set(chain.from_iterable(self._numbers(field, word) for word in found))

    def _numbers(self, field: str, word: str) -> Iterable[int]:
        if (field, word) not in self._reader:
            return ()
        numbers: Iterable[int] = self._reader.postings(field, word).numbers()
        return numbers


def index_of(
    texts: Sequence[Folded], vocabulary: Vocabulary, breathe: Breathe = hold_no_breath
) -> Files:
    """The index of folded texts; their numbers in it are their places here."""
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
