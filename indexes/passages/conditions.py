"""Queries of tantivy, built as objects: what a reader types is never parsed by it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from tantivy import FieldType, Occur, Query

from indexes.passages.fields import (
    AUDIENCE,
    KIND,
    PAGE,
    PUBLISHED,
    TERMS,
    UNPUBLISHED,
    WORDS,
    schema,
)
from indexes.passages.passage import ALWAYS, Reader, microseconds
from indexes.passages.queries import Concept

_ALL = 10_000.0
"""The score of a passage with all concepts, more than any sum of the scores of single ones."""


def any_of(concepts: Iterable[Concept]) -> Query:
    """Return the query for passages that have any concept."""
    return Query.boolean_query(
        [(Occur.Should, _weighted(concept, term)) for concept in concepts for term in concept.terms]
    )


def any_of_all_first(concepts: Sequence[Concept]) -> Query:
    """Return the query for passages that have any concept, which prefers those that have all."""
    with_all = Query.const_score_query(all_of(any_of([concept]) for concept in concepts), _ALL)
    return Query.boolean_query([(Occur.Should, any_of(concepts)), (Occur.Should, with_all)])


def _weighted(concept: Concept, term: str) -> Query:
    query = Query.term_query(schema(), TERMS, term, "freq")
    weight = concept.count * concept.weight
    return query if weight == 1.0 else Query.boost_query(query, weight)


def phrase(words: Sequence[str]) -> Query:
    """Return the condition that a passage has these words side by side."""
    if len(words) == 1:
        return _unscored(Query.term_query(schema(), WORDS, words[0]))
    return _unscored(Query.phrase_query(schema(), WORDS, list(words)))


def visible_to(reader: Reader) -> Sequence[Query]:
    """Return the conditions that a passage is shown to a reader, at the reader's instant."""
    now = microseconds(reader.now, ALWAYS)
    conditions = [
        Query.term_query(schema(), AUDIENCE, reader.audience, "basic"),
        Query.range_query(schema(), PUBLISHED, FieldType.Integer, upper_bound=now),
        Query.range_query(
            schema(), UNPUBLISHED, FieldType.Integer, lower_bound=now, include_lower=False
        ),
    ]
    if reader.kinds:
        conditions.append(Query.term_set_query(schema(), KIND, reader.kinds))
    return [_unscored(condition) for condition in conditions]


def on_pages(pages: Collection[str]) -> Query:
    """Return the query for the passages of pages."""
    return _unscored(Query.term_set_query(schema(), PAGE, list(pages)))


def all_of(queries: Iterable[Query], without: Query | None = None) -> Query:
    """Return the query for passages that meet all queries, and do not meet another."""
    clauses = [(Occur.Must, query) for query in queries]
    if without is not None:
        clauses.append((Occur.MustNot, without))
    return Query.boolean_query(clauses)


def _unscored(query: Query) -> Query:
    return Query.const_score_query(query, 0.0)
