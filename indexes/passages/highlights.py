"""Highlights: the words of a text by which a query found it, in any inflection.

Whole words only: a mark inside an Arabic word would break its joined letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain

from indexes.passages.analysis import AROUND, Analyzer

Span = tuple[int, int]

_WRITTEN = re.compile(r"\S+")


class Highlighter:
    """Finds the words of texts that have any of the terms; it remembers those it has seen."""

    def __init__(self, terms: Iterable[str], analyzer: Analyzer) -> None:
        self._terms = frozenset(terms)
        self._analyzer = analyzer
        self._has_phrases = not self._terms.isdisjoint(analyzer.phrase_groups)
        self._has_term: dict[str, bool] = {}

    def __call__(self, text: str) -> Sequence[Span]:
        """Return the start and the end of each word, in order.

        >>> from indexes.text.vocabulary import Vocabulary
        >>> Highlighter({"invoic", "'15%"}, Analyzer(Vocabulary()))("(Invoices), at 15%.")
        [(1, 9), (15, 18)]
        """
        written = list(_WRITTEN.finditer(text))
        found = {number for number, match in enumerate(written) if self._is_found(match[0])}
        if self._has_phrases:
            found |= self._in_phrases([match[0] for match in written])
        return [_trimmed(written[number]) for number in sorted(found)]

    def _is_found(self, written: str) -> bool:
        is_found = self._has_term.get(written)
        if is_found is None:
            is_found = not self._terms.isdisjoint(self._analyzer.terms(written))
            self._has_term[written] = is_found
        return is_found

    def _in_phrases(self, written: Sequence[str]) -> set[int]:
        """Return the numbers of the texts between spaces that belong to a synonym phrase."""
        chunks = [self._analyzer.chunks(each) for each in written]
        words = [
            number for number, each in enumerate(chunks) for chunk in each for _ in chunk.words
        ]
        phrases = self._analyzer.phrases(chain.from_iterable(chunks))
        found = (
            range(start, start + count) for start, count, name in phrases if name in self._terms
        )
        return {words[word] for word in chain.from_iterable(found)}


def _trimmed(match: re.Match[str]) -> Span:
    """Return where a text between spaces is, without the punctuation around it."""
    written = match[0]
    start = match.start() + len(written) - len(written.lstrip(AROUND))
    return start, match.end() - len(written) + len(written.rstrip(AROUND))
