"""Segments: stored answers within a limit of bytes, and who has to go when there are too many."""

from __future__ import annotations

from collections import OrderedDict

from app.cache.cached_response import CachedResponse, Key


class SegmentedLRU:
    """Entries within a limit of bytes; those asked for more than once are safe from the others.

    A new entry is on trial until it is asked for again. Where room is short the entry on trial
    that was longest unused goes first, so that a flood of answers nobody asks for twice pushes
    out nothing but itself. Three quarters of the room are for what has proved itself.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._limit_protected = limit * 3 // 4
        self._size = self._size_protected = 0
        self._probation: OrderedDict[Key, CachedResponse] = OrderedDict()
        self._protected: OrderedDict[Key, CachedResponse] = OrderedDict()

    @property
    def size(self) -> int:
        """Bytes in use."""
        return self._size

    def get(self, key: Key) -> CachedResponse | None:
        """The entry, now the most recently used."""
        cached_response = self._protected.get(key)
        if cached_response is not None:
            self._protected.move_to_end(key)
            return cached_response
        cached_response = self._probation.pop(key, None)
        if cached_response is not None:
            self._protect(key, cached_response)
        return cached_response

    def put(self, key: Key, cached_response: CachedResponse) -> None:
        """Keep an entry; one that would take much of the room is not kept."""
        if cached_response.size > self._limit // 8:
            return
        self._evict(key)
        self._probation[key] = cached_response
        self._size += cached_response.size
        while self._size > self._limit:
            self._evict(next(iter(self._probation or self._protected)))

    def clear(self) -> None:
        """Forget everything."""
        self._probation.clear()
        self._protected.clear()
        self._size = self._size_protected = 0

    def _protect(self, key: Key, cached_response: CachedResponse) -> None:
        self._protected[key] = cached_response
        self._size_protected += cached_response.size
        while self._size_protected > self._limit_protected:
            key, cached_response = self._protected.popitem(last=False)
            self._size_protected -= cached_response.size
            self._probation[key] = cached_response

    def _evict(self, key: Key) -> None:
        cached_response = self._probation.pop(key, None)
        if cached_response is None:
            cached_response = self._protected.pop(key, None)
            if cached_response is None:
                return
            self._size_protected -= cached_response.size
        self._size -= cached_response.size
