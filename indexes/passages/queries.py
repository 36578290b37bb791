"""Queries: the concepts and phrases of a text, and what its words stand for in the passages.

All that a reader types is data. Quotation marks have a meaning only around a whole query.

A word that no visible text has is read as the most similar ones. A word of a synonym group that an
index does not have yet also stands for its synonyms: an index has the names of groups as terms, but
after a change of the word lists it takes a while to make a new one. One of several words counts as
the rarest of them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from tantivy import Occur
from tantivy import Query as Condition

from indexes.passages.analysis import Analyzer, Chunk
from indexes.passages.passage import TERMS, schema
from indexes.passages.segment import PassageSegment, is_spelt
from indexes.text.words import Vocabulary, fold, is_question_word, synonym_words

MAX_CHARACTERS = 400
_MAX_CONCEPTS = 64
_MAX_PHRASES = 8
_ASKING = 0.3
"""The weight of a word that only asks, beside others."""
_QUOTE = re.compile('["“”„«»]')
_QUOTED = re.compile(rf"\s*(?:{_QUOTE.pattern}[^\"“”„«»]+{_QUOTE.pattern}\s*)+")
_WORD = re.compile(r"\w+")
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class Concept:
    """A word of a query. A text has it by any of its terms.

    `count` says how often the query has it. If no text has it, `parts` are searched instead.
    A word that `asks` counts in the ranking, but finds nothing by itself.
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

    >>> from indexes.text.words import Vocabulary
    >>> query = read_query("How long does a stock count take?", Analyzer(Vocabulary()))
    >>> [concept.word for concept in query.concepts if not concept.asks]
    ['stock', 'count', 'take']
    >>> read_query('"stock count"', Analyzer(Vocabulary())).phrases
    (('stock', 'count'),)
    """
    unquoted = _QUOTE.sub(" ", text)
    chunks = [chunk for written in unquoted.split() for chunk in analyzer.chunks(written)]
    concepts = _distinct(list(chain.from_iterable(_concepts(chunks, analyzer))))
    asking = [only_asks(concept) for concept in concepts]
    if not all(asking):
        concepts = tuple(
            replace(concept, weight=_ASKING, asks=True) if asks else concept
            for concept, asks in zip(concepts, asking, strict=True)
        )
    quoted = _QUOTE.split(text)[1::2] if _QUOTED.fullmatch(text) else ()
    phrases = dict.fromkeys(tuple(_WORD.findall(fold(piece))) for piece in quoted)
    return Query(concepts[:_MAX_CONCEPTS], tuple(filter(None, phrases))[:_MAX_PHRASES])


def only_asks(concept: Concept) -> bool:
    """Return whether a concept has no meaning of its own."""
    return all(is_question_word(part.word) for part in concept.parts or (concept,))


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
        yield _chunk_concepts(chunk, [groups.get(number, ()) for number in range(start, end)])
        start = end


def _chunk_concepts(chunk: Chunk, groups: Sequence[tuple[str, ...]]) -> tuple[Concept, ...]:
    is_compound = len(chunk.words) > 1
    parts = tuple(
        Concept(word, tuple(dict.fromkeys((*stems, *chunk.joined, *names))))
        for word, stems, names in zip(chunk.words, chunk.stems, groups, strict=True)
        if len(word) > 1 or not (is_compound or chunk.is_as_typed)
    )
    if chunk.is_as_typed:
        return (Concept(chunk.letters, (chunk.exact,), parts=parts),)
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
        unknown = [each for each in expanded if not each.asks and not self._is_known(each)]
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
