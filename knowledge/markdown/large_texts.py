"""Large texts: what keeps the work on one from holding up other threads.

Python gives other threads their turn between two steps of its own, but not within a search or a
garbage collection. So a search of a large text goes window by window, and no collection runs while
its tokens exist: one takes 150 ms with those of a table of 1 MB. They have no cycles.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from re import Match, Pattern
from threading import Lock

LARGE_CHARACTERS = 50_000
"""A text with more characters is large."""

WINDOW_CHARACTERS = 50_000
"""A search looks at so many characters at once, and at the rest of the last line."""


class _CollectorPause:
    """Counts the threads that work on large texts; none of them ends the pause of another."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._threads = 0
        self._was_enabled = True

    def begin(self) -> None:
        with self._lock:
            if not self._threads:
                self._was_enabled = gc.isenabled()
                gc.disable()
            self._threads += 1

    def end(self) -> None:
        with self._lock:
            self._threads -= 1
            if not self._threads and self._was_enabled:
                gc.enable()


_PAUSE = _CollectorPause()


@contextmanager
def collector_paused(text: str) -> Iterator[None]:
    """Run no garbage collection during the block if a text is large."""
    if len(text) <= LARGE_CHARACTERS:
        yield
        return
    _PAUSE.begin()
    try:
        yield
    finally:
        _PAUSE.end()


def search(pattern: Pattern[str], text: str, position: int) -> Match[str] | None:
    """Return the first match of a pattern from a position on.

    A match that ends with its window may be cut, and is repeated on the whole text.
    """
    while position < len(text):
        end = _window_end(text, position)
        match = pattern.search(text, position, end)
        if match:
            is_cut = match.end() == end < len(text)
            return pattern.search(text, match.start()) if is_cut else match
        # What begins in the last line of a window may end in the next one.
        last_line = text.rfind("\n", position, end - 1) + 1
        position = last_line if last_line > position and end < len(text) else end
    return None


def _window_end(text: str, position: int) -> int:
    if position + WINDOW_CHARACTERS >= len(text):
        return len(text)
    return text.find("\n", position + WINDOW_CHARACTERS) + 1 or len(text)
