"""Similar addresses: suggestions for a missing page, by trigrams of its path."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain, islice

from indexes.folding import fold
from indexes.lexicon import Lexicon

_LONGEST_PATH = 200
_LEAST_SHARE = 0.25
_MOST_NAMES = 2_000


class NearestPaths:
    """Finds paths by the number of trigrams that the last part of each shares with a path."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = paths

    @cached_property
    def _ordered(self) -> list[str]:
        return list(self._paths)

    @cached_property
    def _names(self) -> Lexicon:
        return Lexicon(_padded(_name(path)) for path in self._ordered)

    def find(self, path: str) -> Iterator[str]:
        """Return the most similar paths, best first."""
        trigrams = _trigrams(_name(path[:_LONGEST_PATH].rstrip("/")))
        matches = [list(islice(self._names.holding(each), _MOST_NAMES + 1)) for each in trigrams]
        # A trigram that thousands of names contain does not distinguish them.
        rare = [numbers for numbers in matches if len(numbers) <= _MOST_NAMES]
        shared = Counter(chain.from_iterable(rare))
        near = [number for number, count in shared.items() if count >= _LEAST_SHARE * len(rare)]
        near.sort(key=lambda number: (-shared[number], len(self._names[number]), number))
        return (self._ordered[number] for number in near)


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _trigrams(text: str) -> set[str]:
    padded = _padded(text)
    return {padded[start : start + 3] for start in range(len(padded) - 2)} if text else set()


def _padded(text: str) -> str:
    return f"  {fold(text)} "
