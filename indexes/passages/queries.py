"""Queries: the concepts and phrases of a text.

All that a reader types is data. Quotation marks have a meaning only around a whole query.

A word of a synonym group that an index does not have yet also stands for its synonyms: an index has
the names of groups as terms, but after a change of the word lists it takes a while to make a new
one. One of several words counts as the rarest of them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import chain
from operator import add

from tantivy import Occur
from tantivy import Query as Condition

from indexes.passages.analysis import Analyzer, Chunk
from indexes.passages.passage import TERMS, schema
from indexes.text.words import NAMES, Vocabulary, fold, is_question_word, synonym_words

MAX_CHARACTERS = 400
_MAX_CONCEPTS = 64
_MAX_PHRASES = 8
_MOST_NAMES = 2
"""The number of names in capitals that may be a whole query."""
_LITTLE = 0.3
"""The weight of a word that only asks, or is of the site's name, beside others."""
_QUOTE = re.compile('["“”„«»]')
_QUOTED = re.compile('(?:\\s*["“”„«»][^"“”„«»]+["“”„«»])+\\s*')
_WORD = re.compile(r"\w+")
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class Concept:
    """A word of a query. A text has it by any of its terms.

    `count` says how often the query has it. If no text has it, `parts` are searched instead.
    One that `asks`, or names what all texts are about, counts in the ranking, but finds nothing by
    itself.
    """

    word: str
    terms: tuple[str, ...]
    count: int = 1
    weight: float = 1.0
    parts: tuple[Concept, ...] = ()
    asks: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """The concepts of a query, and its phrases if it is quoted as a whole.

    It is empty if it has no letter and no digit.
    """

    concepts: tuple[Concept, ...]
    phrases: tuple[tuple[str, ...], ...] = ()


def has_word(text: str) -> bool:
    """Return whether a query has anything to search for.

    >>> has_word("15%"), has_word("?! ـ")
    (True, False)
    """
    return bool(_LETTER_OR_DIGIT.search(fold(text)))


def shortened(text: str) -> str:
    """Return a query, cut at a word if it is too long.

    >>> len(shortened("word " * 100))
    399
    """
    if len(text) <= MAX_CHARACTERS:
        return text
    cut = text[: MAX_CHARACTERS + 1]
    return (cut.rsplit(None, 1)[0] if len(cut.split(None, 1)) > 1 else cut)[:MAX_CHARACTERS]


def read_query(text: str, analyzer: Analyzer) -> Query:
    """Read a query.

    >>> query = read_query("How long does a stock count take?", Analyzer(Vocabulary()))
    >>> [concept.word for concept in query.concepts if not concept.asks]
    ['stock', 'count', 'take']
    >>> read_query('"stock count"', Analyzer(Vocabulary())).phrases
    (('stock', 'count'),)
    """
    unquoted = _QUOTE.sub(" ", text)
    if text.isupper() and sum(map(str.isupper, text.split())) > _MOST_NAMES:
        unquoted = unquoted.lower()  # capitals tell nothing of a question that has no others
    chunks = [chunk for written in unquoted.split() for chunk in analyzer.chunks(written)]
    concepts = _distinct(list(chain.from_iterable(_concepts(chunks, analyzer))))
    asking = [only_asks(concept) for concept in concepts]
    if not all(asking):
        concepts = tuple(
            replace(concept, weight=_LITTLE, asks=True) if asks else concept
            for concept, asks in zip(concepts, asking, strict=True)
        )
    quoted = _QUOTE.split(text)[1::2] if _QUOTED.fullmatch(text) else ()
    phrases = dict.fromkeys(tuple(_WORD.findall(fold(piece))) for piece in quoted)
    return Query(concepts[:_MAX_CONCEPTS], tuple(filter(None, phrases))[:_MAX_PHRASES])


def only_asks(concept: Concept) -> bool:
    """Return whether a concept has no meaning of its own; a name in capitals has one."""
    is_name = any(map(str.isupper, concept.terms))
    return not is_name and all(is_question_word(part.word) for part in concept.parts or (concept,))


def with_known_names(
    concepts: Sequence[Concept],
    site: Iterable[str],
    country: Iterable[str],
    vocabulary: Vocabulary,
) -> Sequence[Concept]:
    """Return concepts in which the names of the site and of its country tell less than others.

    Every text is about both: the words of a site's name weigh little, and those of the country find
    nothing by themselves. They count as others in a query that has no other words but those that
    ask. A name is there if all its words are.

    >>> query = read_query("the price of Wahat in Oman", Analyzer(Vocabulary()))
    >>> known = with_known_names(query.concepts, ["Wahat", "Oasis"], ["Oman"], Vocabulary())
    >>> [(each.word, each.weight) for each in known if not each.asks]
    [('price', 1.0), ('wahat', 0.3)]
    """
    of_site, of_country = (_named(concepts, names, vocabulary) for names in (site, country))
    if of_site | of_country >= {n for n, concept in enumerate(concepts) if not concept.asks}:
        return concepts
    return [
        replace(
            concept,
            weight=_LITTLE if number in of_site | of_country else concept.weight,
            asks=concept.asks or number in of_country - of_site,
        )
        for number, concept in enumerate(concepts)
    ]


def _named(
    concepts: Sequence[Concept], names: Iterable[str], vocabulary: Vocabulary
) -> AbstractSet[int]:
    """Return the numbers of the concepts that are words of names which are there as a whole."""
    numbers: set[int] = set()
    for name in names:
        words = [frozenset(vocabulary.stems(word)) for word in _WORD.findall(fold(name))]
        found = [
            [n for n, concept in enumerate(concepts) if not word.isdisjoint(concept.terms)]
            for word in words
        ]
        if all(found):
            numbers.update(chain.from_iterable(found))
    return numbers


def _distinct(concepts: Sequence[Concept]) -> tuple[Concept, ...]:
    """Merge the concepts of the same terms."""
    merged: dict[tuple[str, ...], Concept] = {}
    for concept in concepts:
        count = merged[concept.terms].count if concept.terms in merged else 0
        merged[concept.terms] = replace(concept, count=count + 1)
    return tuple(merged.values())


def _concepts(chunks: Sequence[Chunk], analyzer: Analyzer) -> Iterator[Sequence[Concept]]:
    """Yield the concepts of each chunk; a word of a synonym phrase is also found by its group."""
    groups: dict[int, tuple[str, ...]] = {}
    for start, count, name in analyzer.phrases(chunks):
        for position in range(start, start + count):
            groups[position] = (*groups.get(position, ()), name)
    start = 0
    for chunk in chunks:
        end = start + len(chunk.words)
        asked = map(analyzer.vocabulary.asked, chunk.words)
        names = [groups.get(number, ()) for number in range(start, end)]
        yield _chunk_concepts(chunk, list(map(add, asked, names)))
        start = end


def _chunk_concepts(chunk: Chunk, terms: Sequence[tuple[str, ...]]) -> tuple[Concept, ...]:
    is_compound = len(chunk.words) > 1
    parts = tuple(
        Concept(word, tuple(dict.fromkeys((*of_word, *chunk.joined))))
        for word, of_word in zip(chunk.words, terms, strict=True)
        if len(word) > 1 or not (is_compound or chunk.is_as_typed)
    )
    if chunk.is_as_typed:
        # What `US` stands for is not what `us` does.
        parts = () if chunk.letters in NAMES else parts
        return (Concept(chunk.letters.lower(), (chunk.exact,), parts=parts),)
    return parts


def any_of(concepts: Iterable[Concept]) -> Condition:
    """Return the query for passages that have any concept."""
    clauses = []
    for concept in concepts:
        weight = concept.count * concept.weight
        for term in concept.terms:
            query = Condition.term_query(schema(), TERMS, term, "freq")
            weighted = query if weight == 1.0 else Condition.boost_query(query, weight)
            clauses.append((Occur.Should, weighted))
    return Condition.boolean_query(clauses)


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
        asked = dict.fromkeys(term for concept in concepts for term in concept.terms)
        found = (self._by_stem.get(term, ()) for term in asked)
        for synonym, group in chain.from_iterable(found):
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

    def _rarest(self, synonym: _Synonym) -> _Stems:
        """Return the stems of the rarest word that a text has."""
        by_frequency = {stems: max(map(self._frequency, stems)) for stems in synonym}
        known = [stems for stems, frequency in by_frequency.items() if frequency]
        return min(known, key=by_frequency.__getitem__, default=())
