"""The allocator of the C library: one arena, and free memory goes back to the system.

Both functions do nothing unless the C library is glibc.
"""

from __future__ import annotations

import ctypes

_M_ARENA_MAX = -8
"""The value of M_ARENA_MAX in glibc's malloc.h."""


def limit_malloc_arenas() -> None:
    """Make all threads share one malloc arena, so that they reuse each other's free memory.

    Other threads cannot use the free memory of an arena, and the system does not get it back:
    after minutes of searches and edits, a worker needed 215 MB instead of 165. Python runs one
    thread at a time, so contention for the single arena is rare. Call this before any thread
    starts.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_ARENA_MAX, 1)


def return_free_memory() -> None:
    """Give the system the memory that long work has freed, also between what is in use.

    With 50,000 documents that is a tenth of the memory after a start, and takes 4 ms.
    """
    malloc_trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if malloc_trim is not None:
        malloc_trim(0)
