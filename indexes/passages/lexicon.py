"""The words of the passages, and those among them that are similar to a misspelt one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from tantivy import Document, Index, Query, Schema, SchemaBuilder

from indexes.passages.fields import AnalysedPassage, write

_WORD = "word"
_LEAST_LETTERS, _MOST_LETTERS = 3, 30
_MOST_SIMILAR = 50


@cache
def _schema() -> Schema:
    builder = SchemaBuilder()
    builder.add_text_field(_WORD, stored=True, tokenizer_name="whole", index_option="basic")
    return builder.build()


def is_spelt(word: str) -> bool:
    """Return whether a word may be misspelt; a number or a code stands as it is typed."""
    return _LEAST_LETTERS <= len(word) <= _MOST_LETTERS and word.isalpha()


class Words:
    """Collects the words of passages."""

    def __init__(self) -> None:
        self._words: set[str] = set()

    def collected(self, passages: Iterable[AnalysedPassage]) -> Iterator[AnalysedPassage]:
        """Yield the passages after adding their words."""
        for passage in passages:
            for words in passage.words:
                self._words.update(words.split())
            yield passage

    def write(self, folder: Path | None = None) -> Index:
        """Write the words to a new index in an empty folder, or in memory."""
        documents = (Document(**{_WORD: word}) for word in sorted(self._words) if is_spelt(word))
        return write(documents, _schema(), folder)


class Lexicon:
    """Finds similar words in an index of words."""

    def __init__(self, index: Index) -> None:
        self._searcher = index.searcher()

    def near(self, word: str, edits: int) -> Sequence[str]:
        """Return words at most so many edits away; to swap two letters is one edit."""
        query = Query.fuzzy_term_query(_schema(), _WORD, word, edits)
        hits = self._searcher.search(query, _MOST_SIMILAR, count=False).hits
        return [str(self._searcher.doc(address).get_first(_WORD)) for _, address in hits]
