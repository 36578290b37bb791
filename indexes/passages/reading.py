"""Reading: what the words of a query stand for in the texts that a reader may see.

A word that no visible text has is read as the most similar ones, if it is misspelt: it does not
only ask, and it is no common word of its language. In Arabic, where most short words are one letter
from another, fewer letters may differ, and words are compared without article and particles.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from tantivy import Query as Condition

from indexes.passages.analysis import Analyzer
from indexes.passages.queries import Concept, any_of, only_asks
from indexes.passages.segment import PassageSegment, is_spelt
from indexes.text.common_words import LEAST_LETTERS, is_common
from indexes.text.words import bare_words, is_arabic, is_question_word

_LONG = 8
"""The minimum length of a word, other than Arabic, that may have two errors."""
_ARTICLE = 2
"""The number of letters of the Arabic article."""
_MISSPELT = (1.0, 0.6, 0.4)
"""The weight of a word by the number of edits to what was typed."""
_MOST_MISSPELT = 6
"""The number of words of a query that may be misspelt: similar words take milliseconds each."""
_MOST_SIMILAR = 8
_COMMON = 1_000
"""A word in more passages than this is taken as visible to every reader."""


@dataclass(frozen=True, slots=True)
class Understood:
    """A query's concepts as the texts have them, and its words that texts have, as they are read.

    A misspelt word is read as the right one, others as themselves.
    """

    concepts: Sequence[Concept]
    words: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Reading:
    """Reads concepts as the texts have them that meet the conditions: a reader's visible ones."""

    segments: Sequence[PassageSegment]
    analyzer: Analyzer
    conditions: Sequence[Condition]

    def of(self, concepts: Sequence[Concept]) -> Understood:
        """Return the concepts, where those that no text has stand for something similar."""
        expanded = list(chain.from_iterable(map(self._expanded, concepts)))
        unknown = [concept for concept in expanded if not self._is_known(concept)]
        misspelt = islice(filter(is_misspelt, unknown), _MOST_MISSPELT)
        nearest = {concept.terms: self._nearest(concept) for concept in misspelt}
        read = [nearest.get(concept.terms) or concept for concept in expanded]
        pairs = zip(expanded, read, strict=True)
        words = {old.word: new.word for old, new in pairs if new is not old or old not in unknown}
        return Understood(read, words)

    def suggestion(self, concepts: Sequence[Concept], asked: str) -> str | None:
        """Return the words of a query that texts have, or the most similar ones, if there are any.

        Words that only ask are left out.
        """
        meaningful = [concept for concept in concepts if not only_asks(concept)][:_MOST_MISSPELT]
        understood = self.of(meaningful)
        suggestion = " ".join(dict.fromkeys(understood.words.values()))
        return suggestion if suggestion and suggestion != asked else None

    def _expanded(self, concept: Concept) -> Sequence[Concept]:
        """Return the parts of a code that no text has."""
        return concept.parts if concept.parts and not self._is_known(concept) else (concept,)

    def _nearest(self, concept: Concept) -> Concept | None:
        """Return a concept as the most similar words; the first of them is its word."""
        most_edits = 2 if len(concept.word) >= _LONG and not is_arabic(concept.word) else 1
        for edits in range(1, most_edits + 1):
            similar = list(islice(self._similar(concept.word, edits), _MOST_SIMILAR))
            if similar:
                terms = dict.fromkeys(term for each in similar for term in each.terms)
                word, weight = similar[0].word, _MISSPELT[edits]
                return replace(concept, word=word, terms=tuple(terms), weight=weight)
        return None

    def _similar(self, word: str, edits: int) -> Iterator[Concept]:
        """Yield the visible words at most so many edits away, the most frequent first."""
        near = chain.from_iterable(
            segment.near(form, edits) for segment in self.segments for form in _forms(word)
        )
        stems = self.analyzer.vocabulary.stems
        concepts = [
            Concept(other, stems(other))
            for other in dict.fromkeys(near)
            if not is_question_word(other)
        ]
        concepts.sort(key=lambda each: (each.word[0] != word[0], -self._frequency(each)))
        return filter(self._is_visible, concepts)

    def _frequency(self, concept: Concept) -> int:
        return sum(max(map(segment.frequency, concept.terms)) for segment in self.segments)

    def _is_known(self, concept: Concept) -> bool:
        frequency = self._frequency(concept)
        return frequency > _COMMON or (frequency > 0 and self._is_visible(concept))

    def _is_visible(self, concept: Concept) -> bool:
        queries = [any_of([concept]), *self.conditions]
        return any(segment.has(queries) for segment in self.segments)


def is_misspelt(concept: Concept) -> bool:
    """Return whether a word that no text has may be an error.

    >>> words = ("paymnet", "letters", "how", "sap", "WH-7", "الفواتبر", "بالتقسيط")
    >>> [word for word in words if is_misspelt(Concept(word, ()))]
    ['paymnet', 'الفواتبر']
    """
    word = concept.word
    return is_spelt(word) and any(_forms(word)) and not (only_asks(concept) or is_common(word))


def _forms(word: str) -> Sequence[str]:
    """Return the forms of a word to compare: without particles, if that leaves enough letters.

    A long Arabic word is also compared as a whole, since its article may be misspelt.
    """
    if not is_arabic(word):
        return [word] if len(word) >= LEAST_LETTERS["en"] else []
    least = LEAST_LETTERS["ar"]
    bare = [form for form in bare_words(word) if len(form) >= least]
    return [*bare, word] if len(word) >= least + _ARTICLE and word not in bare else bare
