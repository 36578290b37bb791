"""Similar addresses: suggestions for a missing page, by trigrams of its path."""

from __future__ import annotations

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain

from whoosh.support.levenshtein import distance

from indexes.text.words import fold

_LONGEST_PATH = 200
_LEAST_SHARE = 0.25
_MOST_NAMES = 2_000

_PATHS_A_YIELD = 64
"""Number of paths indexed between two calls of the callback."""


class NearestPaths:
    """Finds paths by the number of trigrams that the last part of each shares with a path.

    The paths are indexed by `prepare`, or else by the first search: 10,000 take 0.1 seconds.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = tuple(paths)

    @cached_property
    def _by_trigram(self) -> Mapping[str, array[int]]:
        return _numbers_by_trigram(self._paths)

    @property
    def is_prepared(self) -> bool:
        """Whether the paths are indexed."""
        return "_by_trigram" in vars(self)

    def prepare(self, yield_: Callable[[], None]) -> None:
        """Index the paths; with 200,000 it takes seconds, and calls `yield_` regularly."""
        if not self.is_prepared:
            self._by_trigram = _numbers_by_trigram(self._paths, yield_)

    def find(self, path: str) -> Iterator[str]:
        """Return the most similar paths, best first."""
        name = _name_asked(path)
        matches = (self._by_trigram.get(each, ()) for each in (_trigrams(name) if name else ()))
        # A trigram that thousands of names contain does not distinguish them.
        rare = [numbers for numbers in matches if len(numbers) <= _MOST_NAMES]
        shared = Counter(chain.from_iterable(rare))
        near: defaultdict[int, list[int]] = defaultdict(list)
        for number, count in shared.items():
            if count >= _LEAST_SHARE * len(rare):
                near[count].append(number)
        # Thousands of names may share one trigram, so each group is sorted when it is reached.
        for count in sorted(near, reverse=True):
            yield from sorted((self._paths[number] for number in sorted(near[count])), key=_length)


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


def _numbers_by_trigram(
    paths: Sequence[str], yield_: Callable[[], None] | None = None
) -> Mapping[str, array[int]]:
    """Return the numbers of the paths whose last part has a trigram."""
    by_trigram: defaultdict[str, array[int]] = defaultdict(partial(array, "I"))
    for number, path in enumerate(paths):
        if yield_ and number % _PATHS_A_YIELD == 0:
            yield_()
        for trigram in _trigrams(_name(path)):
            by_trigram[trigram].append(number)
    return dict(by_trigram)


def _length(path: str) -> int:
    return len(fold(_name(path)))


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _name_asked(path: str) -> str:
    return _name(path[:_LONGEST_PATH].rstrip("/"))


def _trigrams(text: str) -> set[str]:
    padded = f"  {fold(text)} "
    return {padded[start : start + 3] for start in range(len(padded) - 2)}
