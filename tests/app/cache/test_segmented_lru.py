"""A segment of the response cache keeps its limit, and keeps what is asked for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.cache.cached_response import CachedResponse, Key, cached_response
from app.cache.segmented_lru import SegmentedLRU

LIMIT = 100_000
HEADERS = [(b"etag", b'"e"'), (b"cache-control", b"public")]


def key(number: int) -> Key:
    """The key of one of many paths."""
    return (f"/{number}".encode(), b"", "json", "br")


def answer(number: int, length: int) -> CachedResponse:
    """An answer with a body of this length."""
    kept = cached_response(key(number), "/<path>", HEADERS, b"x" * length)
    assert kept is not None
    return kept


@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(1, 30_000), st.booleans()), max_size=80),
)
def test_a_segment_never_grows_beyond_its_limit(steps: list[tuple[int, int, bool]]) -> None:
    """Whatever is put and asked for, the bytes kept stay within the limit and are counted right."""
    segment = SegmentedLRU(LIMIT)
    sizes: dict[Key, int] = {}
    for number, length, is_put in steps:
        if is_put:
            segment.put(key(number), answer(number, length))
            sizes[key(number)] = answer(number, length).size
        else:
            segment.get(key(number))
        assert segment.size <= LIMIT
    found = [kept.size for each in sizes if (kept := segment.get(each)) is not None]
    assert sum(found) == segment.size


def test_a_flood_pushes_out_nothing_that_was_asked_for_twice() -> None:
    """Ten thousand answers nobody asks for again, beside one that somebody did."""
    segment = SegmentedLRU(LIMIT)
    segment.put(key(0), answer(0, 1_000))
    assert segment.get(key(0))
    for number in range(1, 10_000):
        segment.put(key(number), answer(number, 1_000))
    assert segment.get(key(0))


def test_what_was_proven_and_is_forgotten_by_all_goes_in_the_end() -> None:
    """Proven entries make room for others that prove themselves."""
    segment = SegmentedLRU(LIMIT)
    for number in range(100):
        segment.put(key(number), answer(number, 1_000))
        assert segment.get(key(number))
    assert segment.get(key(0)) is None
    assert segment.get(key(99))


def test_an_entry_that_would_take_much_of_the_room_is_not_kept() -> None:
    """One large download must not cost all pages."""
    segment = SegmentedLRU(LIMIT)
    segment.put(key(1), answer(1, LIMIT // 8))
    assert segment.get(key(1)) is None


def test_long_keys_count() -> None:
    """A query of many kilobytes is memory too."""
    long_key = (b"/", b"x" * 5_000, "json", "br")
    kept = cached_response(long_key, "/", HEADERS, b"")
    assert kept is not None
    assert kept.size > 5_000


def test_replacing_an_entry_counts_it_once() -> None:
    """The same key again is not more."""
    segment = SegmentedLRU(LIMIT)
    segment.put(key(1), answer(1, 100))
    size = segment.size
    segment.put(key(1), answer(1, 100))
    assert segment.size == size
