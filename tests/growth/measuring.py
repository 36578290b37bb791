"""Measurement of how a function's CPU time grows with the length of its text."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import _lru_cache_wrapper
from time import thread_time

from growth.functions import Function, called
from growth.patterns import Pattern

FACTOR = 4
"""The ratio of the lengths of the two texts."""

MAX_GROWTH = 10.0
"""The limit for the ratio of the times: linear time gives 4, quadratic time 16."""

_PACKAGES = ("knowledge", "renderers", "indexes")


def _text_caches() -> list[_lru_cache_wrapper[object]]:
    """Return the project's caches of results for texts; unbounded ones hold translations."""
    caches = (item for item in gc.get_objects() if isinstance(item, _lru_cache_wrapper))
    return [
        cache
        for cache in caches
        if cache.__module__.startswith(_PACKAGES) and cache.cache_parameters()["maxsize"]
    ]


_CACHES = _text_caches()


@contextmanager
def without_collector() -> Iterator[None]:
    """Disable the garbage collector, so that its runs do not distort the times."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def seconds(function: Function, text: str) -> float:
    """Return the CPU time in seconds of one call with empty caches."""
    for cache in _CACHES:
        cache.cache_clear()
    started = thread_time()
    called(function, text)
    return thread_time() - started


def _growth(function: Function, pattern: Pattern, length: int, times: int) -> float:
    """Return the ratio of the times for the long and the short text, each the best of `times`."""
    texts = (pattern.text(length), pattern.text(FACTOR * length))
    short, long = (min(seconds(function, text) for _ in range(times)) for text in texts)
    return long / max(short, 1e-6)


def growing_too_fast(
    function: Function, patterns: Sequence[Pattern], length: int, floor: float
) -> Iterator[str]:
    """Report the patterns for which a function takes about quadratic time.

    A pattern that takes less than `floor` seconds for the longer text is skipped. A suspicious
    pattern is measured again with texts of twice the length, to rule out chance.
    """
    for pattern in patterns:
        if seconds(function, pattern.text(FACTOR * length)) < floor:
            continue
        if _growth(function, pattern, length, 2) < MAX_GROWTH:
            continue
        growth = _growth(function, pattern, 2 * length, 2)
        if growth >= MAX_GROWTH:
            yield f"{pattern.name}: {growth:.1f} times as long for {FACTOR} times the text"
