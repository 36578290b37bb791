"""Text analysis: words, stems and terms of texts and queries, and highlights in texts.

Only whole words are highlighted: a mark inside an Arabic word would break its joined letters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass

from indexes.text.words import Vocabulary, fold, is_question_word

_WORD = re.compile(r"\w+")
_COMPOUND = re.compile(r"\w+(?:[-']\w+)*")
_AROUND = '"()[]{}<>«»“”,;:!?.'
"""Punctuation to strip from the start and end of a word."""


def words(folded: str) -> list[str]:
    """Return the words of a folded text, in order; compounds are split.

    >>> words(fold("E-Invoicing, المرحلة ٢"))
    ['e', 'invoicing', 'المرحله', '2']
    """
    return _WORD.findall(folded)


def spellings(folded: str) -> list[str]:
    """Return the parts of a folded text between white space, without punctuation around them.

    >>> spellings(fold("“E-Invoicing” at 15%: soon …"))
    ['e-invoicing', 'at', '15%', 'soon']
    """
    chunks = (chunk.strip(_AROUND) for chunk in folded.split())
    return [chunk for chunk in chunks if _WORD.search(chunk)]


def stems(folded: str, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the stems of a folded text; a compound yields those of its parts and of the whole.

    >>> sorted(stems("e-invoicing rates", Vocabulary()))
    ['einvoic', 'invoic', 'rate']
    """
    for compound in _COMPOUND.findall(folded):
        parts = _WORD.findall(compound)
        if len(parts) == 1:
            yield from vocabulary.stems(compound)
        else:
            yield from vocabulary.stems("".join(parts))
            # A single letter is not a word: `e-mail about invoicing` must not match `e-invoicing`.
            yield from (stem for part in parts if len(part) > 1 for stem in vocabulary.stems(part))


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """One whitespace-separated part of a query; it matches by its letters or by its stems.

    A text matches by stems if it has any of `stems`, or at least one stem of each of `parts`.
    """

    letters: str
    stems: tuple[str, ...]
    parts: tuple[tuple[str, ...], ...] = ()

    @property
    def is_word(self) -> bool:
        """Whether the letters are a single word, so that a match is always inside one word."""
        return _WORD.fullmatch(self.letters) is not None

    def meets(self, text_stems: Container[str]) -> bool:
        """Return whether a text with these stems matches the term."""
        if any(stem in text_stems for stem in self.stems):
            return True
        return bool(self.parts) and all(
            any(stem in text_stems for stem in part) for part in self.parts
        )


def query_terms(query: str, vocabulary: Vocabulary) -> tuple[QueryTerm, ...]:
    """Return the distinct terms of a query; empty if it has no letter and no digit.

    Words that only ask are left out, unless it has no others.

    >>> [term.letters for term in query_terms("What's an ERP  *  (VAT)?", Vocabulary())]
    ['erp', 'vat']
    """
    letters = dict.fromkeys(spellings(fold(query)))
    meaningful = [chunk for chunk in letters if not is_question_word(chunk.partition("'")[0])]
    return tuple(_term(term_letters, vocabulary) for term_letters in meaningful or letters)


def _term(letters: str, vocabulary: Vocabulary) -> QueryTerm:
    parts = _WORD.findall(letters)
    if len(parts) == 1:
        return QueryTerm(letters, vocabulary.asked(parts[0]))
    is_compound = _COMPOUND.fullmatch(letters)
    if all(part.isdecimal() for part in parts):
        return QueryTerm(letters, ())  # the parts of 12.5 have no meaning alone
    joined = vocabulary.stems("".join(parts)) if is_compound else ()
    return QueryTerm(letters, joined, tuple(vocabulary.stems(part) for part in parts))


Span = tuple[int, int]
Highlighter = Callable[[str], Sequence[Span]]

_LETTER = "[\\w\u0610-\u061a\u064b-\u065f\u0670]"
_HIGHLIGHTS_WORD = re.compile(f"{_LETTER}+(?:[-‐‑'’.,/&]{_LETTER}+)*[%٪]?")


def highlighter(query: str, vocabulary: Vocabulary) -> Highlighter:
    """Return a function that returns start and end of each word that matches the query.

    >>> highlighter("invoices", Vocabulary())("An invoice, invoicing.")
    [(3, 10), (12, 21)]
    """
    terms = query_terms(query, vocabulary)

    def is_found(folded: str) -> bool:
        found = frozenset(stems(folded, vocabulary))
        return any(
            term.letters in folded
            or term.meets(found)
            or not all(map(found.isdisjoint, term.parts))
            for term in terms
        )

    def spans(text: str) -> list[Span]:
        matches = _HIGHLIGHTS_WORD.finditer(text)
        return [match.span() for match in matches if is_found(fold(match[0]))]

    return spans
