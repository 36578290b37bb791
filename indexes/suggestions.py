"""Suggestions: another search for a reader who found nothing."""

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
"""A word as its author wrote it, with the vowel signs of Arabic."""

IsThere = Callable[[PageText], bool]


class Suggestions:
    """Suggests to the readers of a view; only what `is_there` for them is ever named."""

    def __init__(self, index: SearchIndex, view: ContentView, is_there: IsThere) -> None:
        self._index = index
        self._view = view
        self._is_there = is_there

    def instead_of(self, query: str) -> str | None:
        """A search that finds something: misspelt words mended, or else some left out."""
        typed = query_terms(query, self._index.vocabulary)[:_MOST_TERMS]
        known = [word for term in typed if (word := self._known(term.letters))]
        for words in (known, *_shorter(known)):
            if words and self._first(" ".join(words)) is not None:
                return " ".join(words)
        return None

    def _known(self, letters: str) -> str | None:
        """The word itself where it finds something, else the nearest that does."""
        if self._first(letters) is not None:
            return letters
        near = self._index.near(self._view.locale.language, letters)
        spelt = (self._spelling(word) for word in islice(near, _MOST_TRIES))
        return next(filter(None, spelt), None)

    def _first(self, query: str) -> PageText | None:
        return next(filter(self._is_there, self._index.find(self._view.locale, query)), None)

    def _spelling(self, word: str) -> str | None:
        """An indexed word as it stands on a page that is there, None where it is on none."""
        for text in islice(filter(self._is_there, self._index.find(self._view.locale, word)), 3):
            resolved = resolve_route(self._view, text.address)
            if resolved is not None:
                written = f"{title_of(resolved)} {summary_of(resolved)}"
                for spelt in _SPELT.finditer(written):
                    if fold(spelt[0]) == word:
                        return spelt[0]
        return None


def _shorter(words: Sequence[str]) -> Iterable[Sequence[str]]:
    """The words without one of them, the last left out first."""
    return ([*words[:place], *words[place + 1 :]] for place in reversed(range(len(words))))
