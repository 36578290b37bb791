"""Synonyms that an index does not have yet: a query is asked with all of them until it does.

An index has the names of synonym groups as terms. After a change of the word lists it takes a
while to make a new one; until then a word of a query also stands for its synonyms. One of several
words counts as the rarest of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from indexes.passages.queries import Concept
from indexes.text.vocabulary import Vocabulary, synonym_words

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
            numbers = [_having(stems, concepts) for stems in synonym]
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


def _having(stems: _Stems, concepts: Sequence[Concept]) -> Sequence[int]:
    """Return the numbers of the concepts that have any of the stems."""
    wanted = set(stems)
    return [n for n, concept in enumerate(concepts) if not wanted.isdisjoint(concept.terms)]
