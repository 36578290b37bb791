"""Control of the garbage collector: long-lived objects are frozen so that it skips them.

A full collection stops every request, and takes longer the more documents there are.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_YOUNG_GENERATION = 1
_MANY = 50_000
"""Number of new objects at which `freeze` becomes worthwhile."""
_lock = Lock()
_paused = 0


@contextmanager
def gc_paused() -> Iterator[None]:
    """Disable collection, in all threads, while many objects are created."""
    global _paused  # noqa: PLW0603  # the collector is global to the process as well
    with _lock:
        _paused += 1
        gc.disable()
    try:
        yield
    finally:
        with _lock:
            _paused -= 1
            if not _paused:
                gc.enable()


@contextmanager
def gc_frozen() -> Iterator[None]:
    """Disable collection while long-lived objects are created, then freeze them."""
    with gc_paused():
        yield
        gc.freeze()


def freeze() -> None:
    """Exclude all existing objects from later collections. Call it rarely: it keeps garbage too.

    It first collects the young generations only, as a full collection costs what freezing saves.
    """
    gc.collect(_YOUNG_GENERATION)
    gc.freeze()


def freeze_if_many() -> None:
    """Freeze if many objects were created since the last collection."""
    if gc.get_count()[0] > _MANY:
        freeze()
