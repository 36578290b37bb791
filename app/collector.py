"""The garbage collector: content is there to stay, and need not be looked at again and again.

Its rounds would hold up answers for as long as there are documents.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_YOUNG = 1


@contextmanager
def at_rest() -> Iterator[None]:
    """No rounds while much is made that stays."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def set_apart() -> None:
    """Leave all that is there out of the rounds to come.

    Only what is young is looked through first: a full round would take as long as those it saves.
    """
    gc.collect(_YOUNG)
    gc.freeze()
