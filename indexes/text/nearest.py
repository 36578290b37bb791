"""Similar addresses: suggestions for a missing page, by trigrams of its path."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, filterfalse

from whoosh.support.levenshtein import distance

from indexes.text.words import fold

_LONGEST_PATH = 200
_LEAST_SHARE = 0.25
_MOST_NAMES = 2_000
_MOST_CHANGES = 1_000
"""If more paths have come or gone since all were indexed, all are indexed again."""

_PATHS_A_YIELD = 64
"""Number of paths indexed between two calls of the callback."""


class NearestPaths:
    """Finds paths by the number of trigrams that the last part of each shares with a path.

    It never changes: `updated` returns the next one. The paths are indexed by `prepare`, or else
    by the first search.
    """

    def __init__(self, paths: Collection[str]) -> None:
        self._paths = paths

    @cached_property
    def _names(self) -> _TrigramIndex:
        return _TrigramIndex.of(self._paths)

    @property
    def is_prepared(self) -> bool:
        """Whether the paths are indexed."""
        return "_names" in vars(self)

    def prepare(self, yield_: Callable[[], None]) -> None:
        """Index the paths; with 200,000 it takes seconds, and calls `yield_` regularly."""
        if not self.is_prepared:
            self._names = _TrigramIndex.of(self._paths, yield_)

    def updated(self, paths: Collection[str]) -> NearestPaths:
        """Return the index of other paths, of which only those that come or go are read."""
        updated = NearestPaths(paths)
        if self.is_prepared:
            known = frozenset(self._paths)
            removed, added = known.difference(paths), list(filterfalse(known.__contains__, paths))
            if self._names.changes + len(removed) + len(added) <= _MOST_CHANGES:
                updated._names = self._names.without_paths(removed).with_paths(added)
        return updated

    def find(self, path: str) -> Iterator[str]:
        """Return the most similar paths, best first."""
        name = _name_asked(path)
        matches = map(self._names.having, _trigrams(name) if name else ())
        # A trigram that thousands of names contain does not distinguish them.
        rare = [numbers for numbers in matches if len(numbers) <= _MOST_NAMES]
        shared = Counter(chain.from_iterable(rare))
        near: defaultdict[int, list[int]] = defaultdict(list)
        for number, count in shared.items():
            if count >= _LEAST_SHARE * len(rare):
                near[count].append(number)
        # Thousands of names may share one trigram, so each group is sorted when it is reached.
        for count in sorted(near, reverse=True):
            for number in sorted(near[count], key=self._names.order):
                yield self._names.paths[number]


_WORD = re.compile(r"[^\W_]+")
_MOST_WORDS = 12


def is_near(asked: str, path: str, title: str) -> bool:
    """Return whether the name at the end of a path is misspelt in another, or has half its words.

    >>> is_near("/pricng", "/pricing", ""), is_near("/old-prices", "/plans", "Plans and pricing")
    (True, True)
    >>> is_near("/nope", "/blog/author/noura-al-otaibi", "Noura Al Otaibi")
    False
    """
    words, own = (_WORD.findall(fold(_name_asked(each))) for each in (asked, path))
    name, known = "".join(words), {*own, *_WORD.findall(fold(title))}
    shared = (
        len(word) for word in words[:_MOST_WORDS] if any(_is_like(word, each) for each in known)
    )
    return bool(name and own) and (_is_like(name, "".join(own)) or 2 * sum(shared) >= len(name))


def _is_like(word: str, other: str) -> bool:
    """Return whether words share their first half, or differ in at most one letter of four."""
    if word == other or word[0] != other[0] or len(word) < 3:
        return word == other
    length, most = max(len(word), len(other)), max(1, min(len(word), len(other)) // 4)
    half = max(4, (length + 1) // 2)
    is_close = abs(len(word) - len(other)) <= most
    return word[:half] == other[:half] or (is_close and distance(word, other, limit=most) <= most)


@dataclass(frozen=True, slots=True)
class _TrigramIndex:
    """The last parts of paths, by their trigrams.

    Paths are numbered as they come, and one that is gone keeps its number.
    """

    paths: Sequence[str]
    by_trigram: Mapping[str, array[int]]
    changes: int = 0
    """The number of paths that have come or gone since all were indexed."""

    @classmethod
    def of(cls, paths: Iterable[str], yield_: Callable[[], None] | None = None) -> _TrigramIndex:
        """Return the names of paths."""
        by_trigram: defaultdict[str, array[int]] = defaultdict(_no_numbers)
        for number, path in enumerate(paths):
            if yield_ and number % _PATHS_A_YIELD == 0:
                yield_()
            for trigram in _trigrams(_name(path)):
                by_trigram[trigram].append(number)
        return cls(tuple(paths), dict(by_trigram))

    def having(self, trigram: str) -> Sequence[int]:
        """Return the numbers of the paths that have a trigram in their names."""
        return self.by_trigram.get(trigram, ())

    def order(self, number: int) -> tuple[int, int]:
        """Return the sort key of names that are equally similar: the shortest first."""
        return len(fold(_name(self.paths[number]))), number

    def with_paths(self, added: Sequence[str]) -> _TrigramIndex:
        """Return the names of more paths."""
        by_trigram = dict(self.by_trigram)
        for number, path in enumerate(added, start=len(self.paths)):
            for trigram in _trigrams(_name(path)):
                by_trigram[trigram] = by_trigram.get(trigram, _no_numbers()) + array("I", (number,))
        return _TrigramIndex((*self.paths, *added), by_trigram, self.changes + len(added))

    def without_paths(self, removed: Collection[str]) -> _TrigramIndex:
        """Return the names of fewer paths."""
        by_trigram = dict(self.by_trigram)
        for path in removed:
            trigrams = _trigrams(_name(path))
            number = self._number(path, trigrams)
            for trigram in trigrams:
                numbers = by_trigram[trigram]
                place = bisect_left(numbers, number)
                by_trigram[trigram] = numbers[:place] + numbers[place + 1 :]
        return _TrigramIndex(self.paths, by_trigram, self.changes + len(removed))

    def _number(self, path: str, trigrams: Iterable[str]) -> int:
        candidates = min(map(self.having, trigrams), key=len)
        return next(number for number in candidates if self.paths[number] == path)


def _no_numbers() -> array[int]:
    return array("I")


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _name_asked(path: str) -> str:
    return _name(path[:_LONGEST_PATH].rstrip("/"))


def _trigrams(text: str) -> set[str]:
    padded = f"  {fold(text)} "
    return {padded[start : start + 3] for start in range(len(padded) - 2)}
