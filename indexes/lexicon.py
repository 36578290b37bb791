"""Lexicon: a list of words in which any part of a word is found at the speed of memory."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from whoosh.support.levenshtein import distance

_SHORT = 6
_LEAST_LETTERS = 3
_COMMON_LETTERS = 2
"""So few stand in so many words that looking at each takes less time than jumping."""


class Lexicon:
    """Words by number, joined into one text that the C library searches."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self._joined = "\n" + "\n".join(words) + "\n"
        self._starts = array("L", accumulate((len(word) + 1 for word in words), initial=1))

    def holding(self, part: str) -> Iterator[int]:
        """The numbers of the words that hold these letters.

        >>> list(Lexicon(["invoice", "voice", "vat"]).holding("voice"))
        [0, 1]
        """
        if len(part) <= _COMMON_LETTERS:
            return (number for number, word in enumerate(self.words) if part in word)
        return self._jumping(part)

    def _jumping(self, part: str) -> Iterator[int]:
        """From one word that holds the part to the next, past all that do not."""
        place = self._joined.find(part)
        while place >= 0:
            number = bisect_right(self._starts, place) - 1
            yield number
            place = self._joined.find(part, self._starts[number + 1] - 1)

    def near(self, word: str) -> list[str]:
        """The words one slip away, or two in a long word; nearest first.

        >>> Lexicon(["invoice", "voice", "vat"]).near("invioce")
        ['invoice']
        """
        if len(word) < _LEAST_LETTERS:
            return []
        slips = 1 if len(word) <= _SHORT else 2
        found = {
            self.words[number] for part in _pieces(word, slips) for number in self.holding(part)
        }
        judged = (
            (distance(word, other, limit=slips), other)
            for other in found
            if other != word and abs(len(other) - len(word)) <= slips
        )
        return [other for slipped, other in sorted(judged) if slipped <= slips]


def _pieces(word: str, slips: int) -> Iterator[str]:
    """Pieces of which a near word still has one whole: a slip breaks one, or two in a swap."""
    count = min(slips + 2, len(word))
    for number in range(count):
        yield word[number * len(word) // count : (number + 1) * len(word) // count]
