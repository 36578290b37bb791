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


def _growth(function: Function, pattern: Pattern, length: int, long: float | None = None) -> float:
    """Return the ratio of the times for the long and the short text, each the best of two.

    The long text is seldom needed a second time: its first time, `long`, is enough for a ratio
    below the limit, which a better one would only lower.
    """
    whole = pattern.text(FACTOR * length)
    long = seconds(function, whole) if long is None else long
    short = max(min(seconds(function, pattern.text(length)) for _ in range(2)), 1e-6)
    if long >= MAX_GROWTH * short:
        long = min(long, seconds(function, whole))
    return long / short


def growing_too_fast(
    function: Function, patterns: Sequence[Pattern], length: int, floor: float
) -> Iterator[str]:
    """Report the patterns for which a function takes about quadratic time.

    A pattern that takes less than `floor` seconds for the longer text is skipped. A suspicious
    pattern is measured again with texts of twice the length, to rule out chance.
    """
    for pattern in patterns:
        long = seconds(function, pattern.text(FACTOR * length))
        if long < floor or _growth(function, pattern, length, long) < MAX_GROWTH:
            continue
        growth = _growth(function, pattern, 2 * length)
        if growth >= MAX_GROWTH:
            yield f"{pattern.name}: {growth:.1f} times as long for {FACTOR} times the text"
