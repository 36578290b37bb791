"""The hits of one term in a set of texts, and the protocol of searchable sets of texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Protocol

from indexes.analysis import Term
from indexes.page_text import PageText

Counts = Mapping[int, float]
"""Frequency of a term in one field, at least 1, by the number of the text."""


@dataclass(frozen=True, slots=True)
class Hits:
    """The texts that match one term; in `exact_…` it is a whole word, spelt as in the query.

    A term whose parts are spread over title and excerpt counts as a hit in the excerpt.
    """

    title: Counts
    excerpt: Counts
    exact_title: AbstractSet[int]
    exact_excerpt: AbstractSet[int]


class Body(Protocol):
    """A searchable set of texts of one language, in the order in which ties are shown."""

    @property
    def texts(self) -> Sequence[PageText]:
        """The texts; their positions are their numbers."""
        ...

    def hits(self, term: Term) -> Hits:
        """Return the texts that match a term."""
        ...

    def near(self, word: str) -> Sequence[str]:
        """Return the words of the texts that are similar to a word, most similar first."""
        ...
