"""Reads: what something was made from, by key, so that it is kept until one of the keys is touched.

Content notes a key wherever it is read: a document by type and slug, a list by its name. Whoever
keeps what was made records the keys meanwhile. What is not read through these notes depends on the
edition as a whole, and notes `EDITION`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

Key = Hashable
"""What may be read and touched, such as a document or a list."""

EDITION: Final = "edition"
"""The key of what depends on all content, and on the search indexes; each edition touches it."""

ALL: Final = "*"
"""Stands for all keys of a mapping."""

EMPTINESS: Final = "?"
"""Stands for whether a mapping has any key."""

_recorded: ContextVar[set[Key] | None] = ContextVar("recorded", default=None)


def reads_so_far() -> Iterable[Key] | None:
    """Return what has been read for what is being made; None if it is not recorded."""
    return _recorded.get()


def note(key: Key) -> None:
    """Note that something is read."""
    recorded = _recorded.get()
    if recorded is not None:
        recorded.add(key)


def note_all(keys: Iterable[Key]) -> None:
    """Note all that was read when a shared result was made."""
    recorded = _recorded.get()
    if recorded is not None:
        recorded.update(keys)


@contextmanager
def recording() -> Iterator[set[Key]]:
    """Record what is read inside, also in threads with this context, and nowhere else."""
    recorded: set[Key] = set()
    token = _recorded.set(recorded)
    try:
        yield recorded
    finally:
        _recorded.reset(token)
