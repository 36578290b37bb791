"""A segmented LRU cache with a size limit in bytes."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, Protocol, TypeVar


class Sized(Protocol):
    """An entry that knows its size."""

    @property
    def size(self) -> int:
        """Estimated memory in bytes."""
        ...


Key = TypeVar("Key")
Entry = TypeVar("Entry", bound=Sized)


class SegmentedLRU(Generic[Key, Entry]):
    """A segmented LRU cache: entries used more than once are protected from the others.

    A new entry is on probation until it is used again. When the cache is full, it evicts the
    least recently used entry on probation first. A flood of responses that are used once
    therefore evicts only itself. Protected entries may fill three quarters of the cache.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._limit_protected = limit * 3 // 4
        self._size = self._size_protected = 0
        self._probation: OrderedDict[Key, Entry] = OrderedDict()
        self._protected: OrderedDict[Key, Entry] = OrderedDict()

    @property
    def size(self) -> int:
        """Bytes in use."""
        return self._size

    def get(self, key: Key) -> Entry | None:
        """Return an entry and make it the most recently used, or return None."""
        entry = self._protected.get(key)
        if entry is not None:
            self._protected.move_to_end(key)
            return entry
        entry = self._probation.pop(key, None)
        if entry is not None:
            self._protect(key, entry)
        return entry

    def put(self, key: Key, entry: Entry) -> None:
        """Add an entry, unless it is larger than an eighth of the limit."""
        if entry.size > self._limit // 8:
            return
        self._evict(key)
        self._probation[key] = entry
        self._size += entry.size
        while self._size > self._limit:
            self._evict(next(iter(self._probation or self._protected)))

    def clear(self) -> None:
        """Remove all entries."""
        self._probation.clear()
        self._protected.clear()
        self._size = self._size_protected = 0

    def _protect(self, key: Key, entry: Entry) -> None:
        self._protected[key] = entry
        self._size_protected += entry.size
        while self._size_protected > self._limit_protected:
            key, entry = self._protected.popitem(last=False)
            self._size_protected -= entry.size
            self._probation[key] = entry

    def _evict(self, key: Key) -> None:
        entry = self._probation.pop(key, None)
        if entry is None:
            entry = self._protected.pop(key, None)
            if entry is None:
                return
            self._size_protected -= entry.size
        self._size -= entry.size
