"""How the time of a function grows with the length of its text, in seconds of the processor."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import _lru_cache_wrapper
from time import thread_time

from growth.functions import Function, called
from growth.patterns import Pattern

FACTOR = 4
"""How much longer the second text is."""

MOST_GROWTH = 10.0
"""Linear is 4, the square is 16."""

_OURS = ("knowledge", "renderers", "indexes")


def _text_caches() -> list[_lru_cache_wrapper[object]]:
    """Caches of ours that hold results for texts; those without a limit hold translations."""
    caches = (each for each in gc.get_objects() if isinstance(each, _lru_cache_wrapper))
    return [
        each
        for each in caches
        if each.__module__.startswith(_OURS) and each.cache_parameters()["maxsize"]
    ]


_CACHES = _text_caches()


@contextmanager
def without_collector() -> Iterator[None]:
    """Keep the garbage collector, whose rounds come when they come, out of the figures."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def seconds(function: Function, text: str) -> float:
    """What one call costs when nothing of it is known."""
    for cache in _CACHES:
        cache.cache_clear()
    started = thread_time()
    called(function, text)
    return thread_time() - started


def _growth(function: Function, pattern: Pattern, length: int, times: int) -> float:
    """How many times as long the longer text takes; the best of several measurements."""
    texts = (pattern.text(length), pattern.text(FACTOR * length))
    short, long = (min(seconds(function, text) for _ in range(times)) for text in texts)
    return long / max(short, 1e-6)


def growing_too_fast(
    function: Function, patterns: Sequence[Pattern], length: int, floor: float
) -> Iterator[str]:
    """The patterns for which a function takes the square of the length, or about that.

    What takes less than `floor` seconds for the longer text is not looked at further. What looks
    bad is measured again with texts of twice the length, so that chance does not decide.
    """
    for pattern in patterns:
        if seconds(function, pattern.text(FACTOR * length)) < floor:
            continue
        if _growth(function, pattern, length, 2) < MOST_GROWTH:
            continue
        growth = _growth(function, pattern, 2 * length, 2)
        if growth >= MOST_GROWTH:
            yield f"{pattern.name}: {growth:.1f} times as long for {FACTOR} times the text"
