"""The garbage collector: what is there to stay need not be looked at again and again.

Its rounds hold up all answers, for as long as there are documents.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_YOUNG = 1
_MANY = 50_000
"""So many objects make its rounds long; fewer are not worth what `freeze` costs."""
_lock = Lock()
_paused = 0


@contextmanager
def gc_paused() -> Iterator[None]:
    """No rounds while much is made at once, in whatever thread."""
    global _paused  # noqa: PLW0603  # the collector is the process's own as well
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
    """No rounds while what stays to the end is made, such as modules, and none through it later."""
    with gc_paused():
        yield
        gc.freeze()


def freeze() -> None:
    """Leave all that is there out of the rounds to come: for seldom, as garbage is set apart too.

    Only what is young is looked through first: a full round would take as long as those it saves.
    """
    gc.collect(_YOUNG)
    gc.freeze()


def freeze_if_many() -> None:
    """At the end of a rest: the same, where much was made."""
    if gc.get_count()[0] > _MANY:
        freeze()
