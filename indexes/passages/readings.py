"""Readings: what the words of a query stand for.

A word that no visible text has is read as the most similar ones. A word of a synonym group that an
index does not have yet also stands for its synonyms: an index has the names of groups as terms, but
after a change of the word lists it takes a while to make a new one. One of several words counts as
the rarest of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from tantivy import Query as Condition

from indexes.passages.analysis import Analyzer
from indexes.passages.queries import Concept, any_of, only_asks
from indexes.passages.segment import PassageSegment, is_spelt
from indexes.text.words import Vocabulary, synonym_words

_SHORT = 5
_MOST_EDITS = 2
"""A word up to the short length is misspelt by one edit, a longer one by two."""
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
        nearest = {
            concept.terms: self._nearest(concept, 1 if len(concept.word) <= _SHORT else _MOST_EDITS)
            for concept in islice(unknown, _MOST_MISSPELT)
        }
        read = [nearest.get(concept.terms) or concept for concept in expanded]
        pairs = zip(expanded, read, strict=True)
        words = {old.word: new.word for old, new in pairs if new is not old or old not in unknown}
        return Understood(read, words)

    def suggestion(self, concepts: Sequence[Concept], asked: str) -> str | None:
        """Return the words of a query that texts have, or the most similar ones, if there are any.

        Words that only ask are left out.
        """
        meaningful = (concept for concept in concepts if not only_asks(concept))
        words = [
            found.word
            for concept in islice(meaningful, _MOST_MISSPELT)
            if (found := self._known_or_nearest(concept))
        ]
        suggestion = " ".join(words)
        return suggestion if words and suggestion != asked else None

    def _expanded(self, concept: Concept) -> Sequence[Concept]:
        """Return the parts of a code that no text has."""
        return concept.parts if concept.parts and not self._is_known(concept) else (concept,)

    def _known_or_nearest(self, concept: Concept) -> Concept | None:
        return concept if self._is_known(concept) else self._nearest(concept, _MOST_EDITS)

    def _nearest(self, concept: Concept, most_edits: int) -> Concept | None:
        """Return a concept as the most similar words; the first of them is its word."""
        if not is_spelt(concept.word):
            return None
        for edits in range(1, most_edits + 1):
            similar = list(islice(self._similar(concept.word, edits), _MOST_SIMILAR))
            if similar:
                terms = dict.fromkeys(term for each in similar for term in each.terms)
                word, weight = similar[0].word, _MISSPELT[edits]
                return replace(concept, word=word, terms=tuple(terms), weight=weight)
        return None

    def _similar(self, word: str, edits: int) -> Iterator[Concept]:
        near = chain.from_iterable(segment.near(word, edits) for segment in self.segments)
        stems = self.analyzer.vocabulary.stems
        concepts = (Concept(other, stems(other)) for other in dict.fromkeys(near))
        return filter(self._is_visible, concepts)

    def _is_known(self, concept: Concept) -> bool:
        frequency = sum(max(map(segment.frequency, concept.terms)) for segment in self.segments)
        return frequency > _COMMON or (frequency > 0 and self._is_visible(concept))

    def _is_visible(self, concept: Concept) -> bool:
        queries = [any_of([concept]), *self.conditions]
        return any(segment.has(queries) for segment in self.segments)


_Stems = tuple[str, ...]
_Synonym = tuple[_Stems, ...]
"""The stems of each of its words."""


class Synonyms:
    """Groups of words and phrases with the same meaning."""

    def __init__(
        self,
        groups: Iterable[Iterable[str]],
        vocabulary: Vocabulary,
        frequency: Callable[[str], int],
    ) -> None:
        self._frequency = frequency
        self._by_stem: dict[str, list[tuple[_Synonym, Sequence[_Synonym]]]] = defaultdict(list)
        for group in groups:
            synonyms = [tuple(map(vocabulary.stems, words)) for words in synonym_words(group)]
            for synonym in filter(None, synonyms):
                for stem in synonym[0]:
                    self._by_stem[stem].append((synonym, synonyms))

    def added_to(self, concepts: Sequence[Concept]) -> Sequence[Concept]:
        """Return the concepts of a query, each with the terms of its synonyms."""
        added: dict[int, list[str]] = defaultdict(list)
        for synonym, group in self._possible(concepts):
            numbers = [
                [n for n, concept in enumerate(concepts) if not wanted.isdisjoint(concept.terms)]
                for wanted in map(frozenset, synonym)
            ]
            if all(numbers):
                terms = [term for each in group for term in self._rarest(each)]
                for number in chain.from_iterable(numbers):
                    added[number] += terms
        return [
            replace(concept, terms=tuple(dict.fromkeys((*concept.terms, *added[number]))))
            for number, concept in enumerate(concepts)
        ]

    def _possible(
        self, concepts: Iterable[Concept]
    ) -> Iterator[tuple[_Synonym, Sequence[_Synonym]]]:
        """Yield the synonyms whose first word is in a query, with their groups."""
        for term in dict.fromkeys(term for concept in concepts for term in concept.terms):
            yield from self._by_stem.get(term, ())

    def _rarest(self, synonym: _Synonym) -> _Stems:
        """Return the stems of the rarest word that a text has."""
        by_frequency = {stems: max(map(self._frequency, stems)) for stems in synonym}
        known = [stems for stems, frequency in by_frequency.items() if frequency]
        return min(known, key=by_frequency.__getitem__, default=())
