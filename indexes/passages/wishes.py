"""Wishes: the types of values that a question asks for.

`wishes.txt` has the words and phrases that ask for each type. A passage that holds such a value is
found like one that has the word: `price` by `SAR 399`.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, filterfalse
from pathlib import Path

from indexes.passages.queries import Concept
from indexes.passages.values import value_term
from indexes.text.words import Vocabulary, fold, is_group

_FILE = Path(__file__).with_name("wishes.txt")

_MOST_WORDS = 12
"""A longer question describes something, and its words are rarely those that ask for a value."""


@dataclass(frozen=True, slots=True)
class Wish:
    """The concepts of a question, and the terms of the types of values that it asks for.

    `is_all` says that it has no other words: `How much does it cost?`
    """

    concepts: Sequence[Concept]
    values: frozenset[str] = frozenset()
    is_all: bool = False


_Phrase = tuple[str, Sequence[AbstractSet[str]]]
"""The term of a type, and the possible stems of each word that asks for it."""


@lru_cache(maxsize=8)
def _by_stem(vocabulary: Vocabulary) -> Mapping[str, Sequence[_Phrase]]:
    """Return what asks for values, by the stems of the first word; it takes milliseconds."""
    by_stem: dict[str, list[_Phrase]] = defaultdict(list)
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        name, _, phrases = line.partition("#")[0].partition(":")
        for phrase in re.split("[,،]", phrases):
            words = [
                frozenset(filterfalse(is_group, vocabulary.stems(word)))
                for word in fold(phrase).split()
            ]
            for stem in words[0] if words else ():
                by_stem[stem].append((value_term(name), words))
    return by_stem


def wish_of(concepts: Sequence[Concept], vocabulary: Vocabulary) -> Wish:
    """Return what a question asks for; its words that ask also have the terms of the values."""
    if sum(not concept.asks for concept in concepts) > _MOST_WORDS:
        return Wish(concepts)
    terms = frozenset(chain.from_iterable(concept.terms for concept in concepts))
    by_stem = _by_stem(vocabulary)
    asked = [
        (value, frozenset(chain.from_iterable(words)))
        for stem in terms & by_stem.keys()
        for value, words in by_stem[stem]
        if not any(map(terms.isdisjoint, words))
    ]
    wished = []
    for concept in concepts:
        values = {value for value, stems in asked if not stems.isdisjoint(concept.terms)}
        has = values and not concept.asks
        wished.append(replace(concept, terms=(*concept.terms, *sorted(values))) if has else concept)
    is_all = all(new.asks or new is not old for old, new in zip(concepts, wished, strict=True))
    return Wish(wished, frozenset(value for value, _ in asked), is_all)
