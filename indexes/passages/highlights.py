"""Highlights: the words of a text by which a query found it, in any inflection.

Whole words only: a mark inside an Arabic word would break its joined letters.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import chain

from indexes.passages.analysis import AROUND, Analyzer, Chunk

Span = tuple[int, int]

_WRITTEN = re.compile(r"\S+")


class Highlighter:
    """Finds the words of texts that have any of the terms."""

    def __init__(self, terms: Iterable[str], analyzer: Analyzer) -> None:
        self._terms = frozenset(terms)
        self._analyzer = analyzer

    def __call__(self, text: str) -> Sequence[Span]:
        """Return the start and the end of each word, in order.

        >>> from indexes.vocabulary import Vocabulary
        >>> Highlighter({"invoic", "'15%"}, Analyzer(Vocabulary()))("(Invoices), at 15%.")
        [(1, 9), (15, 18)]
        """
        spans = [_trimmed(match) for match in _WRITTEN.finditer(text)]
        chunks = [self._analyzer.chunks(text[start:end]) for start, end in spans]
        in_phrases = self._in_phrases(chunks)
        return [
            span
            for number, span in enumerate(spans)
            if number in in_phrases or self._has_term(chunks[number])
        ]

    def _has_term(self, chunks: Sequence[Chunk]) -> bool:
        return any(not self._terms.isdisjoint(chunk.terms) for chunk in chunks)

    def _in_phrases(self, chunks: Sequence[Sequence[Chunk]]) -> Collection[int]:
        """Return the numbers of the texts between spaces that belong to a synonym phrase."""
        words = [
            number for number, each in enumerate(chunks) for chunk in each for _ in chunk.words
        ]
        phrases = self._analyzer.phrases(chain.from_iterable(chunks))
        found = (
            range(start, start + count) for start, count, name in phrases if name in self._terms
        )
        return {words[word] for word in chain.from_iterable(found)}


def _trimmed(match: re.Match[str]) -> Span:
    """Return a text between spaces without the punctuation around it."""
    written = match[0]
    start = match.start() + len(written) - len(written.lstrip(AROUND))
    return start, max(start, match.end() - len(written) + len(written.rstrip(AROUND)))
