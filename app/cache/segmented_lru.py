"""A segmented LRU cache of responses with a size limit in bytes."""

from __future__ import annotations

from collections import OrderedDict

from app.cache.cached_response import CachedResponse, Key


class SegmentedLRU:
    """A segmented LRU cache: entries used more than once are protected from the others.

    A new entry is on probation until it is used again. When the cache is full, it evicts the
    least recently used entry on probation first. A flood of responses that are used once
    therefore evicts only itself. Protected entries may fill three quarters of the cache.
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
        """Return an entry and make it the most recently used, or return None."""
        cached_response = self._protected.get(key)
        if cached_response is not None:
            self._protected.move_to_end(key)
            return cached_response
        cached_response = self._probation.pop(key, None)
        if cached_response is not None:
            self._protect(key, cached_response)
        return cached_response

    def put(self, key: Key, cached_response: CachedResponse) -> None:
        """Add an entry, unless it is larger than an eighth of the limit."""
        if cached_response.size > self._limit // 8:
            return
        self._evict(key)
        self._probation[key] = cached_response
        self._size += cached_response.size
        while self._size > self._limit:
            self._evict(next(iter(self._probation or self._protected)))

    def clear(self) -> None:
        """Remove all entries."""
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
