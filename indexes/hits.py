"""Hits: where one term was found in a body of texts, whoever looked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Protocol

from indexes.analysis import Term
from indexes.page_text import PageText

Counts = Mapping[int, float]
"""How often a term's stem stands in one field of each text, at least 1; by the text's number."""


@dataclass(frozen=True, slots=True)
class Hits:
    """One term's finds; `exact_…` are those where it stands letter for letter as a word.

    A term of several parts that title and excerpt have between them is in the excerpt.
    """

    title: Counts
    excerpt: Counts
    exact_title: AbstractSet[int]
    exact_excerpt: AbstractSet[int]


class Body(Protocol):
    """Texts of one language in the order that equals are shown in, and a way to search them."""

    @property
    def texts(self) -> Sequence[PageText]:
        """The texts by number."""
        ...

    def hits(self, term: Term) -> Hits:
        """Where a term is found."""
        ...

    def near(self, word: str) -> Sequence[str]:
        """The words of the texts that look like a word, nearest first."""
        ...
