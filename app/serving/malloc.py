"""The allocator of the C library: memory that one thread has freed serves the others."""

from __future__ import annotations

import ctypes

_MOST_ARENAS = -8
"""M_ARENA_MAX, by its number in glibc's malloc.h."""


def limit_malloc_arenas() -> None:
    """Keep threads from having heaps of their own, where the C library is glibc.

    What is free in one's heap no other can use, nor has the machine it back: after minutes of
    searches and edits half of a worker's heaps lay idle. As Python lets one thread run at a time,
    they hardly ever wait for each other here. To be called before there are threads.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_MOST_ARENAS, 1)
