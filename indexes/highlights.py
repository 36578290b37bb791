"""Marks: which words of a text a search found it by.

Whole words are marked, as a mark inside an Arabic word would break its joined letters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from indexes.analysis import Term, query_terms, stems
from indexes.folding import fold
from indexes.vocabulary import Vocabulary

Span = tuple[int, int]
Highlighter = Callable[[str], Sequence[Span]]

_LETTER = "[\\w\u0610-\u061a\u064b-\u065f\u0670]"
_WORD = re.compile(f"{_LETTER}+(?:[-‐‑'’.,/&]{_LETTER}+)*[%٪]?")


def highlighter(query: str, vocabulary: Vocabulary) -> Highlighter:
    """Gives start and end of each word of a text that the query asks for.

    >>> highlighter("invoices", Vocabulary())("An invoice, invoicing.")
    [(3, 10), (12, 21)]
    """
    terms = query_terms(query, vocabulary)

    def spans(text: str) -> list[Span]:
        found = (match.span() for match in _WORD.finditer(text))
        return [
            (start, end)
            for start, end in found
            if any(_is_meant(term, fold(text[start:end]), vocabulary) for term in terms)
        ]

    return spans


def _is_meant(term: Term, folded: str, vocabulary: Vocabulary) -> bool:
    found = set(stems(folded, vocabulary))
    return (
        term.letters in folded
        or term.meets(found)
        or any(not found.isdisjoint(part) for part in term.parts)
    )
