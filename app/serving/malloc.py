"""The allocator of the C library: one arena, so that threads reuse each other's free memory."""

from __future__ import annotations

import ctypes

_M_ARENA_MAX = -8
"""The value of M_ARENA_MAX in glibc's malloc.h."""


def limit_malloc_arenas() -> None:
    """Make all threads share one malloc arena; does nothing unless the C library is glibc.

    Other threads cannot use the free memory of an arena, and the system does not get it back:
    after minutes of searches and edits, a worker needed 215 MB instead of 165. Python runs one
    thread at a time, so contention for the single arena is rare. Call this before any thread
    starts.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_ARENA_MAX, 1)
