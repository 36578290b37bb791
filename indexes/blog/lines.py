"""Lines of text, joined into one string, so that `str.find` searches all of them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from itertools import accumulate

_SAMPLE = 65_536
"""The number of characters by which it is decided how common a part is."""


class Lines:
    """Texts of one line each, by number."""

    def __init__(self, lines: Iterable[str]) -> None:
        lines = list(lines)
        self._joined = "\n".join(lines)
        self._starts = array("L", accumulate(map((1).__add__, map(len, lines)), initial=0))

    def __iter__(self) -> Iterator[str]:
        """Return the lines in order."""
        return iter(self._joined.split("\n"))

    def __getitem__(self, number: int) -> str:
        """Return the line with this number."""
        return self._joined[self._starts[number] : self._starts[number + 1] - 1]

    def holding(self, part: str) -> Iterator[int]:
        """Return the numbers of the lines that contain these letters.

        >>> list(Lines(["invoice", "voice", "vat"]).holding("voice"))
        [0, 1]
        """
        if self._is_common(part):
            return (number for number, line in enumerate(self) if part in line)
        before = self._joined.split(part)[:-1]
        return iter(dict.fromkeys(accumulate(text.count("\n") for text in before)))

    def _is_common(self, part: str) -> bool:
        """Return whether there are more occurrences of a part than lines, as far as sampled."""
        return self._joined.count(part, 0, _SAMPLE) > self._joined.count("\n", 0, _SAMPLE)
