"""Segments: stored answers within a limit of bytes, and who has to go when there are too many."""

from __future__ import annotations

from collections import OrderedDict

from app.stored import Key, Stored


class Segment:
    """Entries within a limit of bytes; those asked for more than once are safe from the others.

    A new entry is on trial until it is asked for again. Where room is short the entry on trial
    that was longest unused goes first, so that a flood of answers nobody asks for twice pushes
    out nothing but itself. Three quarters of the room are for what has proved itself.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._limit_proven = limit * 3 // 4
        self._size = self._size_proven = 0
        self._trial: OrderedDict[Key, Stored] = OrderedDict()
        self._proven: OrderedDict[Key, Stored] = OrderedDict()

    @property
    def size(self) -> int:
        """Bytes in use."""
        return self._size

    def get(self, key: Key) -> Stored | None:
        """The entry, now the most recently used."""
        stored = self._proven.get(key)
        if stored is not None:
            self._proven.move_to_end(key)
            return stored
        stored = self._trial.pop(key, None)
        if stored is not None:
            self._prove(key, stored)
        return stored

    def put(self, key: Key, stored: Stored) -> None:
        """Keep an entry; one that would take much of the room is not kept."""
        if stored.size > self._limit // 8:
            return
        self._forget(key)
        self._trial[key] = stored
        self._size += stored.size
        while self._size > self._limit:
            self._forget(next(iter(self._trial or self._proven)))

    def clear(self) -> None:
        """Forget everything."""
        self._trial.clear()
        self._proven.clear()
        self._size = self._size_proven = 0

    def _prove(self, key: Key, stored: Stored) -> None:
        self._proven[key] = stored
        self._size_proven += stored.size
        while self._size_proven > self._limit_proven:
            key, stored = self._proven.popitem(last=False)
            self._size_proven -= stored.size
            self._trial[key] = stored

    def _forget(self, key: Key) -> None:
        stored = self._trial.pop(key, None)
        if stored is None:
            stored = self._proven.pop(key, None)
            if stored is None:
                return
            self._size_proven -= stored.size
        self._size -= stored.size
