"""Queries: the concepts and phrases of a text, and the conditions that tantivy gets.

All that a reader types is data. The only sign with a meaning is the quotation mark.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from tantivy import FieldType, Occur
from tantivy import Query as TantivyQuery

from indexes.passages.analysis import Analyzer, Chunk
from indexes.passages.passage import (
    ALWAYS,
    AUDIENCE,
    KIND,
    PAGE,
    PUBLISHED,
    TERMS,
    UNPUBLISHED,
    WORDS,
    SearchScope,
    microseconds,
    schema,
)
from indexes.text.words import fold, is_question_word

MAX_CHARACTERS = 400
_MAX_CONCEPTS = 64
_MAX_PHRASES = 8
_MOST_QUOTING = 12
"""In a query of more concepts than this, quotation marks are punctuation of a pasted text."""
_QUOTES = re.compile('["“”„«»]')
_WORD = re.compile(r"\w+")
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class Concept:
    """A word of a query. A text has it by any of its terms.

    `count` says how often the query has it. If no text has it, `parts` are searched instead.
    """

    word: str
    terms: tuple[str, ...]
    count: int = 1
    weight: float = 1.0
    parts: tuple[Concept, ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    """A query without words that only ask. It is empty if it has no letter and no digit.

    `is_quoted` says whether it has no words outside its phrases.
    """

    concepts: tuple[Concept, ...]
    phrases: tuple[tuple[str, ...], ...] = ()
    is_quoted: bool = False


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
    >>> query = read_query('How long does a "stock count" take?', Analyzer(Vocabulary()))
    >>> [concept.word for concept in query.concepts], query.phrases
    (['long', 'stock', 'count', 'take'], (('stock', 'count'),))
    """
    pieces = _QUOTES.split(text)
    quoted = pieces[1 : len(pieces) - 1 : 2]
    outside = (*pieces[::2], *pieces[1::2][len(quoted) :])
    phrases = dict.fromkeys(tuple(_WORD.findall(fold(piece))) for piece in quoted)
    chunks = [chunk for written in " ".join(pieces).split() for chunk in analyzer.chunks(written)]
    concepts = list(chain.from_iterable(_concepts(chunks, analyzer)))
    meaningful = [concept for concept in concepts if not only_asks(concept)]
    distinct = _distinct(meaningful or concepts)
    return Query(
        distinct[:_MAX_CONCEPTS],
        tuple(filter(None, phrases))[:_MAX_PHRASES] if len(distinct) <= _MOST_QUOTING else (),
        not any(map(_WORD.search, outside)),
    )


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


_ALL = 10_000.0
"""The score of a passage with all concepts, more than any sum of the scores of single ones."""


def any_of(concepts: Iterable[Concept]) -> TantivyQuery:
    """Return the query for passages that have any concept."""
    return TantivyQuery.boolean_query(
        [(Occur.Should, _weighted(concept, term)) for concept in concepts for term in concept.terms]
    )


def any_of_all_first(concepts: Sequence[Concept]) -> TantivyQuery:
    """Return the query for passages that have any concept, which prefers those that have all."""
    with_all = TantivyQuery.const_score_query(
        all_of(any_of([concept]) for concept in concepts), _ALL
    )
    return TantivyQuery.boolean_query([(Occur.Should, any_of(concepts)), (Occur.Should, with_all)])


def _weighted(concept: Concept, term: str) -> TantivyQuery:
    query = TantivyQuery.term_query(schema(), TERMS, term, "freq")
    weight = concept.count * concept.weight
    return query if weight == 1.0 else TantivyQuery.boost_query(query, weight)


def phrase(words: Sequence[str]) -> TantivyQuery:
    """Return the condition that a passage has these words side by side."""
    if len(words) == 1:
        return _unscored(TantivyQuery.term_query(schema(), WORDS, words[0]))
    return _unscored(TantivyQuery.phrase_query(schema(), WORDS, list(words)))


def visible_to(scope: SearchScope) -> Sequence[TantivyQuery]:
    """Return the conditions that a passage is shown to a reader, at the reader's instant."""
    now = microseconds(scope.now, ALWAYS)
    conditions = [
        TantivyQuery.term_query(schema(), AUDIENCE, scope.audience, "basic"),
        TantivyQuery.range_query(schema(), PUBLISHED, FieldType.Integer, upper_bound=now),
        TantivyQuery.range_query(
            schema(), UNPUBLISHED, FieldType.Integer, lower_bound=now, include_lower=False
        ),
    ]
    if scope.kinds:
        conditions.append(TantivyQuery.term_set_query(schema(), KIND, scope.kinds))
    return [_unscored(condition) for condition in conditions]


def on_pages(pages: Collection[str]) -> TantivyQuery:
    """Return the query for the passages of pages."""
    return _unscored(TantivyQuery.term_set_query(schema(), PAGE, list(pages)))


def all_of(queries: Iterable[TantivyQuery], without: TantivyQuery | None = None) -> TantivyQuery:
    """Return the query for passages that meet all queries, and do not meet another."""
    clauses = [(Occur.Must, query) for query in queries]
    if without is not None:
        clauses.append((Occur.MustNot, without))
    return TantivyQuery.boolean_query(clauses)


def _unscored(query: TantivyQuery) -> TantivyQuery:
    return TantivyQuery.const_score_query(query, 0.0)
