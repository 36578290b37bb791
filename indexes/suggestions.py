"""Suggestions: a query to try after a search without results."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from indexes.analysis import query_terms
from indexes.folding import fold
from indexes.page_text import PageText
from indexes.search import SearchIndex
from knowledge.content_view import ContentView
from knowledge.resources.base import title_of
from knowledge.resources.seo import resolve_route
from knowledge.resources.summaries import summary_of

_MOST_TERMS = 6
_MOST_TRIES = 8
_SPELT = re.compile("[\\w\u0610-\u061a\u064b-\u065f\u0670\u0640]+")
"""A word as its author spelt it, including Arabic vowel signs."""

IsThere = Callable[[PageText], bool]


class Suggestions:
    """Suggests queries for a view; `is_there` decides which pages count as visible."""

    def __init__(self, index: SearchIndex, view: ContentView, is_there: IsThere) -> None:
        self._index = index
        self._view = view
        self._is_there = is_there

    def instead_of(self, query: str) -> str | None:
        """Return a query with results: misspelt words corrected, or else one word left out."""
        typed = query_terms(query, self._index.vocabulary)[:_MOST_TERMS]
        corrected = [word for term in typed if (word := self._corrected(term.letters))]
        for words in (corrected, *_shorter(corrected)):
            if words and self._first(" ".join(words)) is not None:
                return " ".join(words)
        return None

    def _corrected(self, letters: str) -> str | None:
        """Return the word if it has results, else the most similar word that does."""
        if self._first(letters) is not None:
            return letters
        near = self._index.near(self._view.locale.language, letters)
        spellings = (self._spelling(word) for word in islice(near, _MOST_TRIES))
        return next(filter(None, spellings), None)

    def _first(self, query: str) -> PageText | None:
        return next(filter(self._is_there, self._index.find(self._view.locale, query)), None)

    def _spelling(self, word: str) -> str | None:
        """Return an indexed word as a visible page spells it; None if it is on no visible page."""
        for text in islice(filter(self._is_there, self._index.find(self._view.locale, word)), 3):
            resolved = resolve_route(self._view, text.address)
            if resolved is not None:
                text_shown = f"{title_of(resolved)} {summary_of(resolved)}"
                for match in _SPELT.finditer(text_shown):
                    if fold(match[0]) == word:
                        return match[0]
        return None


def _shorter(words: Sequence[str]) -> Iterable[Sequence[str]]:
    """Yield the words without one of them; the last one is left out first."""
    return ([*words[:index], *words[index + 1 :]] for index in reversed(range(len(words))))
