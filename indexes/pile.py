"""The pile: texts not yet in the catalogue, searched one by one.

It holds what was edited since the catalogue was made, and at first everything. What it finds is
by definition what is to be found: the catalogue is only faster.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property

from indexes.analysis import Term, words
from indexes.hits import Hits
from indexes.lexicon import Lexicon
from indexes.page_text import PageText, newest_first
from indexes.vocabulary import Vocabulary

_Stems = Mapping[str, int]
_Words = AbstractSet[str]


class Pile:
    """A body of texts that needs no making."""

    def __init__(self, texts: Iterable[PageText], vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self.texts: Sequence[PageText] = newest_first(texts)

    @cached_property
    def _stems(self) -> Sequence[tuple[_Stems, _Stems]]:
        return [text.stems_of(self._vocabulary) for text in self.texts]

    @cached_property
    def _words(self) -> Sequence[tuple[_Words, _Words]]:
        return [(set(words(text.title)), set(words(text.excerpt))) for text in self.texts]

    @cached_property
    def _lexicon(self) -> Lexicon:
        found = {word for titled, told in self._words for word in (*titled, *told)}
        return Lexicon(sorted(found))

    def near(self, word: str) -> Sequence[str]:
        """The words of the texts that look like a word, nearest first."""
        return self._lexicon.near(word)

    def hits(self, term: Term) -> Hits:
        """Where a term is found, by reading every text."""
        title, excerpt = {}, {}
        exact_title, exact_excerpt = set(), set()
        for number, (text, (titled, told)) in enumerate(zip(self.texts, self._stems, strict=True)):
            if term.letters in text.title or term.meets(titled):
                title[number] = _count(term, titled)
            if term.letters in text.excerpt or term.meets(told):
                excerpt[number] = _count(term, told)
            elif number not in title and term.meets({**titled, **told}):
                excerpt[number] = 1.0
            title_words, excerpt_words = self._words[number]
            if _is_exact(term, text.title, title_words):
                exact_title.add(number)
            if _is_exact(term, text.excerpt, excerpt_words):
                exact_excerpt.add(number)
        return Hits(title, excerpt, exact_title, exact_excerpt)


def _count(term: Term, stems: _Stems) -> float:
    return float(max((stems.get(stem, 1) for stem in term.stems), default=1))


def _is_exact(term: Term, folded: str, found: _Words) -> bool:
    """Whether it stands there as it is; what is no single word, such as `15%`, as a part."""
    return term.letters in (found if term.is_word else folded)
