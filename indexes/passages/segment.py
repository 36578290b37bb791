"""A segment: an immutable set of passages in one tantivy index, on disk or in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from tantivy import Index, Query

from indexes.passages.conditions import all_of, on_pages
from indexes.passages.fields import KEY, KIND, PAGE, STORED, TERMS


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage that matches a query, with the enclosed terms of title, headings and body.

    `length` is the number of terms, counted with the weights of their fields.
    """

    key: str
    page: str
    kind: str
    length: int
    fields: Sequence[str]


class Segment:
    """Finds candidates in one index, and counts; pages that are `hidden` are not in it any more."""

    def __init__(self, index: Index, length: int, hidden: Collection[str] = ()) -> None:
        self._index = index
        self._searcher = index.searcher()
        self._hidden = on_pages(hidden) if hidden else None
        self._hidden_frequencies: Counter[str] = Counter()
        self._all_length = self.length = length
        """The sum of the lengths of all passages."""
        self.passages: int = self._searcher.num_docs
        """The number of passages."""
        if self._hidden:
            for candidate in self._found(self._hidden, max(self.passages, 1)):
                self._hidden_frequencies.update(set(" ".join(candidate.fields).split()))
                self.length -= candidate.length
                self.passages -= 1

    def without(self, pages: Collection[str]) -> Segment:
        """Return the segment with these pages hidden, and no others."""
        return Segment(self._index, self._all_length, pages)

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

    def _found(self, query: Query, limit: int) -> Iterator[Candidate]:
        for _, address in self._searcher.search(query, limit, count=False).hits:
            document = self._searcher.doc(address).to_dict()
            length, *fields = document[STORED][0].decode().split("\n")
            key, page, kind = (document[name][0] for name in (KEY, PAGE, KIND))
            yield Candidate(key, page, kind, int(length), fields)
