"""Highlights: the words of a text that match a search.

Only whole words are highlighted: a mark inside an Arabic word would break its joined letters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from indexes.text.analysis import Term, query_terms, stems
from indexes.text.folding import fold
from indexes.text.vocabulary import Vocabulary

Span = tuple[int, int]
Highlighter = Callable[[str], Sequence[Span]]

_LETTER = "[\\w\u0610-\u061a\u064b-\u065f\u0670]"
_WORD = re.compile(f"{_LETTER}+(?:[-‐‑'’.,/&]{_LETTER}+)*[%٪]?")


def highlighter(query: str, vocabulary: Vocabulary) -> Highlighter:
    """Return a function that returns start and end of each word that matches the query.

    >>> highlighter("invoices", Vocabulary())("An invoice, invoicing.")
    [(3, 10), (12, 21)]
    """
    terms = query_terms(query, vocabulary)

    def spans(text: str) -> list[Span]:
        words = (match.span() for match in _WORD.finditer(text))
        return [
            (start, end)
            for start, end in words
            if any(_matches(term, fold(text[start:end]), vocabulary) for term in terms)
        ]

    return spans


def _matches(term: Term, folded: str, vocabulary: Vocabulary) -> bool:
    word_stems = set(stems(folded, vocabulary))
    return (
        term.letters in folded
        or term.meets(word_stems)
        or any(not word_stems.isdisjoint(part) for part in term.parts)
    )
