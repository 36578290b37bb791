"""Analysis: the words of a text and the terms of a query, by one chain for both."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass

from indexes.folding import fold
from indexes.vocabulary import Vocabulary

_WORD = re.compile(r"\w+")
_COMPOUND = re.compile(r"\w+(?:[-']\w+)*")
_AROUND = '"()[]{}<>«»“”,;:!?.'
"""What stands around words and never means anything."""


def words(folded: str) -> list[str]:
    """The unbroken words of a folded text, in order.

    >>> words(fold("E-Invoicing, المرحلة ٢"))
    ['e', 'invoicing', 'المرحله', '2']
    """
    return _WORD.findall(folded)


def stems(folded: str, vocabulary: Vocabulary) -> Iterator[str]:
    """The stems of a folded text; a compound gives those of its parts and of them joined.

    >>> sorted(stems("e-invoicing rates", Vocabulary()))
    ['einvoic', 'invoic', 'rate']
    """
    for compound in _COMPOUND.findall(folded):
        parts = _WORD.findall(compound)
        if len(parts) == 1:
            yield from vocabulary.stems(compound)
        else:
            yield from vocabulary.stems("".join(parts))
            # A letter alone is no word: `e-mail about invoicing` is not about e-invoicing.
            yield from (stem for part in parts if len(part) > 1 for stem in vocabulary.stems(part))


@dataclass(frozen=True, slots=True)
class Term:
    """One part of a query between blanks: found by its letters, or else by its stems.

    A text has its stems where it has one of `stems`, or one of each of `parts`.
    """

    letters: str
    stems: tuple[str, ...]
    parts: tuple[tuple[str, ...], ...] = ()

    @property
    def is_word(self) -> bool:
        """Whether the letters are one unbroken word, so that they lie within one of a text's."""
        return _WORD.fullmatch(self.letters) is not None

    def meets(self, found: Container[str]) -> bool:
        """Whether a text with these stems has those of the term."""
        if any(stem in found for stem in self.stems):
            return True
        return bool(self.parts) and all(any(stem in found for stem in part) for part in self.parts)


def query_terms(query: str, vocabulary: Vocabulary) -> tuple[Term, ...]:
    """What a query asks for; nothing where it holds no letter and no digit.

    >>> [term.letters for term in query_terms("ERP  *  (VAT)?", Vocabulary())]
    ['erp', 'vat']
    """
    chunks = (chunk.strip(_AROUND) for chunk in fold(query).split())
    letters = dict.fromkeys(chunk for chunk in chunks if _WORD.search(chunk))
    return tuple(_term(each, vocabulary) for each in letters)


def _term(letters: str, vocabulary: Vocabulary) -> Term:
    parts = _WORD.findall(letters)
    if len(parts) == 1:
        return Term(letters, vocabulary.stems(parts[0]))
    is_compound = _COMPOUND.fullmatch(letters)
    if all(part.isdecimal() for part in parts):
        return Term(letters, ())  # the digits of 12.5 mean nothing one by one
    joined = vocabulary.stems("".join(parts)) if is_compound else ()
    return Term(letters, joined, tuple(vocabulary.stems(part) for part in parts))
