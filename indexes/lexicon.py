"""A list of words with fast substring and similarity search."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from whoosh.support.levenshtein import distance

_SHORT = 6
"""Words up to this length match with one edit only."""
_LEAST_LETTERS = 3
"""Minimum length of a word for similarity search."""
_COMMON_LETTERS = 2
"""A part this short is in so many words that a scan of all words is faster than `str.find`."""


class Lexicon:
    """Words by number, joined into one string so that `str.find` searches all of them."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self._joined = "\n" + "\n".join(words) + "\n"
        self._starts = array("L", accumulate((len(word) + 1 for word in words), initial=1))

    def holding(self, part: str) -> Iterator[int]:
        """Return the numbers of the words that contain these letters.

        >>> list(Lexicon(["invoice", "voice", "vat"]).holding("voice"))
        [0, 1]
        """
        if len(part) <= _COMMON_LETTERS:
            return (number for number, word in enumerate(self.words) if part in word)
        return self._find_all(part)

    def _find_all(self, part: str) -> Iterator[int]:
        """Yield the number of each word that contains the part."""
        position = self._joined.find(part)
        while position >= 0:
            number = bisect_right(self._starts, position) - 1
            yield number
            position = self._joined.find(part, self._starts[number + 1] - 1)

    def near(self, word: str) -> list[str]:
        """Return the words within one edit, or two if the word is long; most similar first.

        >>> Lexicon(["invoice", "voice", "vat"]).near("invioce")
        ['invoice']
        """
        if len(word) < _LEAST_LETTERS:
            return []
        max_edits = 1 if len(word) <= _SHORT else 2
        candidates = {
            self.words[number] for part in _pieces(word, max_edits) for number in self.holding(part)
        }
        distances = (
            (distance(word, other, limit=max_edits), other)
            for other in candidates
            if other != word and abs(len(other) - len(word)) <= max_edits
        )
        return [other for edits, other in sorted(distances) if edits <= max_edits]


def _pieces(word: str, max_edits: int) -> Iterator[str]:
    """Split a word so that every similar word contains one piece; a swap may break two pieces."""
    count = min(max_edits + 2, len(word))
    for number in range(count):
        yield word[number * len(word) // count : (number + 1) * len(word) // count]
