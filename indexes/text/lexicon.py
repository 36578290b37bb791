"""A list of words with fast substring and similarity search."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from itertools import accumulate

from whoosh.support.levenshtein import distance

_SHORT = 6
"""Words up to this length match with one edit only."""
_LEAST_LETTERS = 3
"""Minimum length of a word for similarity search."""
_SAMPLE = 65_536
"""The number of characters by which it is decided how common a part is."""


class Lexicon:
    """Words by number, joined into one string so that `str.find` searches all of them."""

    def __init__(self, words: Iterable[str]) -> None:
        words = list(words)
        self._joined = "\n".join(words)
        self._starts = array("L", accumulate(map((1).__add__, map(len, words)), initial=0))

    def __iter__(self) -> Iterator[str]:
        """Return the words in order."""
        return iter(self._joined.split("\n"))

    def __getitem__(self, number: int) -> str:
        """Return the word with this number."""
        return self._joined[self._starts[number] : self._starts[number + 1] - 1]

    def holding(self, part: str) -> Iterator[int]:
        """Return the numbers of the words that contain these letters.

        >>> list(Lexicon(["invoice", "voice", "vat"]).holding("voice"))
        [0, 1]
        """
        if self._is_common(part):
            return (number for number, word in enumerate(self) if part in word)
        before = self._joined.split(part)[:-1]
        return iter(dict.fromkeys(accumulate(text.count("\n") for text in before)))

    def _is_common(self, part: str) -> bool:
        """Return whether there are more occurrences of a part than words, as far as sampled."""
        return self._joined.count(part, 0, _SAMPLE) > self._joined.count("\n", 0, _SAMPLE)

    def near(self, word: str) -> list[str]:
        """Return the words within one edit, or two if the word is long; most similar first.

        >>> Lexicon(["invoice", "voice", "vat"]).near("invioce")
        ['invoice']
        """
        if len(word) < _LEAST_LETTERS:
            return []
        max_edits = 1 if len(word) <= _SHORT else 2
        candidates = {
            self[number] for part in _pieces(word, max_edits) for number in self.holding(part)
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
