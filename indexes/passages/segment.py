"""Segments: immutable sets of passages in tantivy, the conditions to search them, their words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tantivy import Document, FieldType, Index, Occur, Query, Schema, SchemaBuilder

from indexes.passages.passage import (
    ALWAYS,
    AUDIENCE,
    KEY,
    KIND,
    PAGE,
    PUBLISHED,
    STORED,
    TERMS,
    TEXTS,
    UNPUBLISHED,
    WORDS,
    AnalysedPassage,
    SearchScope,
    microseconds,
    schema,
    write,
)
from indexes.text.words import bare_words, is_arabic


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found: its key, and its page with its kind."""

    key: str
    page: str
    kind: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage that matches a query, with the enclosed terms of title, headings and body.

    `length` is the number of terms, counted with the weights of their fields. `texts` names those
    whose meaning counts, see `SearchPassage.texts`.
    """

    hit: Hit
    texts: Sequence[int]
    length: int
    fields: Sequence[str]


_WORD, _FORMS = "word", "forms"
_LEAST_LETTERS, _MOST_LETTERS = 3, 30
_MOST_SIMILAR = 50


class PassageSegment:
    """Finds candidates in one index, and counts; pages that are `hidden` are not in it any more.

    `words` is the index of its words, `length` the sum of the lengths of all passages.
    """

    def __init__(
        self, index: Index, words: Index, length: int, hidden: Collection[str] = ()
    ) -> None:
        self._index = index
        self._words = words
        self._searcher, self._word_searcher = index.searcher(), words.searcher()
        self._hidden = on_pages(hidden) if hidden else None
        self._hidden_frequencies: Counter[str] = Counter()
        self._all_length = self.length = length
        self.passages: int = self._searcher.num_docs
        """The number of passages."""
        if self._hidden:
            for candidate in self._found(self._hidden, max(self.passages, 1)):
                self._hidden_frequencies.update(set(" ".join(candidate.fields).split()))
                self.length -= candidate.length
                self.passages -= 1

    def without(self, pages: Collection[str]) -> PassageSegment:
        """Return the segment with these pages hidden, and no others."""
        return PassageSegment(self._index, self._words, self._all_length, pages)

    def frequency(self, term: str) -> int:
        """Return the number of passages with a term."""
        found: int = self._searcher.doc_freq(TERMS, term)
        return found - self._hidden_frequencies[term]

    def candidates(self, queries: Sequence[Query], limit: int) -> Iterator[Candidate]:
        """Yield the best passages that meet all queries, by tantivy's score."""
        return self._found(all_of(queries, without=self._hidden), limit)

    def has(self, queries: Sequence[Query]) -> bool:
        """Return whether any passage meets all queries."""
        query = all_of(queries, without=self._hidden)
        return bool(self._searcher.search(query, 1, count=False).hits)

    def near(self, word: str, edits: int) -> Sequence[str]:
        """Return words at most so many edits away; to swap two letters is one edit.

        Arabic words are compared in all forms that they may have without article and particles.
        """
        return self._found_words(Query.fuzzy_term_query(_schema(), _FORMS, word, edits))

    def matching(self, pattern: str) -> Sequence[str]:
        """Return words that a regular expression matches, in any of the forms that `near` uses."""
        return self._found_words(Query.regex_query(_schema(), _FORMS, pattern))

    def _found_words(self, query: Query) -> Sequence[str]:
        hits = self._word_searcher.search(query, _MOST_SIMILAR, count=False).hits
        return [str(self._word_searcher.doc(address).get_first(_WORD)) for _, address in hits]

    def _found(self, query: Query, limit: int) -> Iterator[Candidate]:
        for _, address in self._searcher.search(query, limit, count=False).hits:
            document = self._searcher.doc(address).to_dict()
            texts, length, *fields = document[STORED][0].decode().split("\n")
            hit = Hit(*(document[name][0] for name in (KEY, PAGE, KIND)))
            yield Candidate(hit, [int(name, 16) for name in texts.split()], int(length), fields)


def phrase(words: Sequence[str]) -> Query:
    """Return the condition that a passage has these words side by side."""
    if len(words) == 1:
        return _unscored(Query.term_query(schema(), WORDS, words[0]))
    return _unscored(Query.phrase_query(schema(), WORDS, list(words)))


def visible_to(scope: SearchScope) -> Sequence[Query]:
    """Return the conditions that a passage is shown to a reader, at the reader's instant."""
    now = microseconds(scope.now, ALWAYS)
    conditions = [
        Query.term_query(schema(), AUDIENCE, scope.audience, "basic"),
        Query.range_query(schema(), PUBLISHED, FieldType.Integer, upper_bound=now),
        Query.range_query(
            schema(), UNPUBLISHED, FieldType.Integer, lower_bound=now, include_lower=False
        ),
    ]
    if scope.kinds:
        conditions.append(Query.term_set_query(schema(), KIND, scope.kinds))
    return [_unscored(condition) for condition in conditions]


def with_texts(names: Iterable[int]) -> Query:
    """Return the query for passages that have any of the texts of these names."""
    return _unscored(Query.term_set_query(schema(), TEXTS, [f"{name:x}" for name in names]))


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


@cache
def _schema() -> Schema:
    builder = SchemaBuilder()
    builder.add_text_field(_WORD, stored=True, tokenizer_name="whole", index_option="basic")
    builder.add_text_field(_FORMS, tokenizer_name="whole", index_option="basic")
    return builder.build()


def is_spelt(word: str) -> bool:
    """Return whether a word may be misspelt; a number or a code stands as it is typed."""
    return _LEAST_LETTERS <= len(word) <= _MOST_LETTERS and word.isalpha()


class WordCollector:
    """Collects the words of passages."""

    def __init__(self) -> None:
        self._words: set[str] = set()

    def collected(self, passages: Iterable[AnalysedPassage]) -> Iterator[AnalysedPassage]:
        """Yield the passages after adding their words."""
        for passage in passages:
            self._words.update(*map(str.split, passage.words))
            yield passage

    def write(self, folder: Path | None = None) -> Index:
        """Write the words to a new index in an empty folder, or in memory."""
        documents = map(_document, filter(is_spelt, sorted(self._words)))
        return write(documents, _schema(), folder)


def _document(word: str) -> Document:
    forms = list({word, *bare_words(word)}) if is_arabic(word) else [word]
    return Document(**{_WORD: word, _FORMS: forms})
