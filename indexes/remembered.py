"""An LRU cache of search results."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock

from indexes.ranking import Tier

_MOST_TEXTS = 1_000_000
"""Capacity in references to texts, about 8 MB."""


class Remembered:
    """Results by key; evicts the least recently used."""

    def __init__(self, most: int = _MOST_TEXTS) -> None:
        self._free = most
        self._results: OrderedDict[Hashable, Tier] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, search: Callable[[], Tier]) -> Tier:
        """Return the cached result of the key, else run the search and cache its result."""
        with self._lock:
            cached = self._results.get(key)
            if cached is not None:
                self._results.move_to_end(key)
                return cached
        tier = search()
        with self._lock:
            if key not in self._results:
                self._results[key] = tier
                self._free -= _cost(tier)
            while self._free < 0:
                self._free += _cost(self._results.popitem(last=False)[1])
        return tier


def _cost(tier: Tier) -> int:
    return len(tier.texts) + 100
