"""The delta index: texts that are not yet in the main index, searched one by one.

It holds the texts edited since the main index (`Catalogue`) was built, and at startup all texts.
It is the reference for the results; the main index must return the same, only faster.
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
    """A set of texts that is searched without an index."""

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
        unique_words = {word for title, excerpt in self._words for word in (*title, *excerpt)}
        return Lexicon(sorted(unique_words))

    def near(self, word: str) -> Sequence[str]:
        """Return the words of the texts that are similar to a word, most similar first."""
        return self._lexicon.near(word)

    def hits(self, term: Term) -> Hits:
        """Return the texts that match a term, by a scan of all texts."""
        title, excerpt = {}, {}
        exact_title, exact_excerpt = set(), set()
        for number, (text, stems) in enumerate(zip(self.texts, self._stems, strict=True)):
            title_stems, excerpt_stems = stems
            if term.letters in text.title or term.meets(title_stems):
                title[number] = _count(term, title_stems)
            if term.letters in text.excerpt or term.meets(excerpt_stems):
                excerpt[number] = _count(term, excerpt_stems)
            elif number not in title and term.meets({**title_stems, **excerpt_stems}):
                excerpt[number] = 1.0
            title_words, excerpt_words = self._words[number]
            if _is_exact(term, text.title, title_words):
                exact_title.add(number)
            if _is_exact(term, text.excerpt, excerpt_words):
                exact_excerpt.add(number)
        return Hits(title, excerpt, exact_title, exact_excerpt)


def _count(term: Term, stems: _Stems) -> float:
    return float(max((stems.get(stem, 1) for stem in term.stems), default=1))


def _is_exact(term: Term, folded: str, text_words: _Words) -> bool:
    """Return whether a text has the term as a whole word, or `15%` and the like as a substring."""
    return term.letters in (text_words if term.is_word else folded)
