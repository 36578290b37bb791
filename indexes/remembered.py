"""An LRU cache of search results."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from threading import Lock

from indexes.page_text import PageText

_MOST_TEXTS = 1_000_000
"""Capacity in references to texts, about 8 MB."""

Found = Sequence[PageText]


class Remembered:
    """Results by key; evicts the least recently used."""

    def __init__(self, most: int = _MOST_TEXTS) -> None:
        self._free = most
        self._results: OrderedDict[Hashable, Found] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, search: Callable[[], Found]) -> Found:
        """Return the cached result of the key, else run the search and cache its result."""
        with self._lock:
            cached = self._results.get(key)
            if cached is not None:
                self._results.move_to_end(key)
                return cached
        texts = search()
        with self._lock:
            if key not in self._results:
                self._results[key] = texts
                self._free -= _cost(texts)
            while self._free < 0:
                self._free += _cost(self._results.popitem(last=False)[1])
        return texts


def _cost(texts: Found) -> int:
    return len(texts) + 100
