"""Remembered searches: what was found for the queries asked most recently, within a limit."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from threading import Lock

from indexes.page_text import PageText

_MOST_TEXTS = 1_000_000
"""About eight megabytes of references."""

Found = Sequence[PageText]


class Remembered:
    """Finds by key; the one longest unused goes first."""

    def __init__(self, most: int = _MOST_TEXTS) -> None:
        self._room = most
        self._found: OrderedDict[Hashable, Found] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, search: Callable[[], Found]) -> Found:
        """What was found under the key before, else what the search finds now."""
        with self._lock:
            known = self._found.get(key)
            if known is not None:
                self._found.move_to_end(key)
                return known
        found = search()
        with self._lock:
            if key not in self._found:
                self._found[key] = found
                self._room -= _cost(found)
            while self._room < 0:
                self._room += _cost(self._found.popitem(last=False)[1])
        return found


def _cost(found: Found) -> int:
    return len(found) + 100
