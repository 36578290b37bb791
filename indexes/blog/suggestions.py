"""Suggestions: a query to try after a search without results."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice

from indexes.blog.index import BlogIndex
from indexes.text.folding import fold
from indexes.text.question_words import is_question_word
from knowledge.fields.content_types import POST
from knowledge.resources.base import title_of
from knowledge.resources.blog import excerpt_of
from knowledge.views.content_view import ContentView

_MOST_TERMS = 6
_MOST_TRIES = 8
_LONGEST = 100
_SPELT = re.compile("[\\w\u0610-\u061a\u064b-\u065f\u0670\u0640]+")
"""A word as its author spelt it, including Arabic vowel signs."""

IsThere = Callable[[str], bool]


class Suggestions:
    """Suggests queries for a view; `is_there` decides which slugs are of visible posts."""

    def __init__(self, index: BlogIndex, view: ContentView, is_there: IsThere) -> None:
        self._index = index
        self._view = view
        self._is_there = is_there

    def instead_of(self, query: str) -> str | None:
        """Return a query with results: misspelt words corrected, the more common ones left out.

        Words that only ask are left out; the rarest word stays.
        """
        typed = self._index.words(query)[:_MOST_TERMS]
        corrected = [word for letters in typed if (word := self._corrected(letters))]
        words = [word for word in dict.fromkeys(corrected) if not is_question_word(fold(word))]
        rarest_first = sorted(words, key=self._frequency)
        for count in range(len(words), 0, -1):
            kept = " ".join(word for word in words if word in rarest_first[:count])
            if len(kept) <= _LONGEST and self._first(kept) is not None:
                return kept
        return None

    def _frequency(self, word: str) -> int:
        return len(self._index.find(self._view.locale, word))

    def _corrected(self, letters: str) -> str | None:
        """Return the word if it has results, else the most similar word that does."""
        if self._first(letters) is not None:
            return letters
        near = self._index.near(self._view.locale.language, letters)
        spellings = (self._spelling(word) for word in islice(near, _MOST_TRIES))
        return next(filter(None, spellings), None)

    def _first(self, query: str) -> str | None:
        return next(filter(self._is_there, self._index.find(self._view.locale, query)), None)

    def _spelling(self, word: str) -> str | None:
        """Return an indexed word as a visible post spells it; None if it is in no visible post."""
        for slug in islice(filter(self._is_there, self._index.find(self._view.locale, word)), 3):
            resolved = self._view.resolve(POST, slug)
            if resolved is not None:
                text_shown = f"{title_of(resolved)} {excerpt_of(resolved)}"
                for match in _SPELT.finditer(text_shown):
                    if fold(match[0]) == word:
                        return match[0]
        return None
