"""The segmented LRU cache keeps its size limit and the entries that are used repeatedly."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.publishing.response_cache import CachedResponse, CacheKey, SegmentedLRU, cached_response

LIMIT = 100_000
HEADERS = [(b"etag", b'"e"'), (b"cache-control", b"public")]


def key(number: int) -> CacheKey:
    """Return the key of one of many paths."""
    return (f"/{number}".encode(), b"", "json", "br", None)


def response(number: int, length: int) -> CachedResponse:
    """Return a response with a body of this length."""
    created = cached_response(key(number), 200, HEADERS, b"x" * length)
    assert created is not None
    return created


@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(1, 30_000), st.booleans()), max_size=80),
)
def test_a_cache_never_grows_beyond_its_limit(steps: list[tuple[int, int, bool]]) -> None:
    """For any sequence of puts and gets, the size is correct and within the limit."""
    cache = SegmentedLRU[CacheKey, CachedResponse](LIMIT)
    sizes: dict[CacheKey, int] = {}
    for number, length, is_put in steps:
        if is_put:
            cache.put(key(number), response(number, length))
            sizes[key(number)] = response(number, length).size
        else:
            cache.get(key(number))
        assert cache.size <= LIMIT
    present = [entry.size for key in sizes if (entry := cache.get(key)) is not None]
    assert sum(present) == cache.size


def test_a_flood_does_not_evict_entries_used_twice() -> None:
    """Ten thousand responses are used once, and one is used again."""
    cache = SegmentedLRU[CacheKey, CachedResponse](LIMIT)
    cache.put(key(0), response(0, 1_000))
    assert cache.get(key(0))
    for number in range(1, 10_000):
        cache.put(key(number), response(number, 1_000))
    assert cache.get(key(0))


def test_protected_entries_that_are_no_longer_used_are_evicted() -> None:
    """The least recently used protected entry makes room for new ones."""
    cache = SegmentedLRU[CacheKey, CachedResponse](LIMIT)
    for number in range(100):
        cache.put(key(number), response(number, 1_000))
        assert cache.get(key(number))
    assert cache.get(key(0)) is None
    assert cache.get(key(99))


def test_an_entry_that_is_too_large_is_not_cached() -> None:
    """One large response must not evict all pages."""
    cache = SegmentedLRU[CacheKey, CachedResponse](LIMIT)
    cache.put(key(1), response(1, LIMIT // 8))
    assert cache.get(key(1)) is None


def test_long_keys_count() -> None:
    """The size of an entry includes its key."""
    long_key = (b"/", b"x" * 5_000, "json", "br", None)
    entry = cached_response(long_key, 200, HEADERS, b"")
    assert entry is not None
    assert entry.size > 5_000


def test_replacing_an_entry_counts_it_once() -> None:
    """The size stays the same when a key is put again."""
    cache = SegmentedLRU[CacheKey, CachedResponse](LIMIT)
    cache.put(key(1), response(1, 100))
    size = cache.size
    cache.put(key(1), response(1, 100))
    assert cache.size == size
