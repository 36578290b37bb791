"""The edits of a content store: which keys they touched, so that what else was made is kept."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from knowledge.reads import Key
from knowledge.touched import Touched

Reads = array  # of hashes of keys, as the keys themselves take ten times the memory


def reads_of(keys: Iterable[Key]) -> Reads[int]:
    """Return what was read, in little memory; of two keys with one hash both count as read."""
    return array("q", {hash(key) for key in keys})


@dataclass(frozen=True, slots=True)
class Edits:
    """All edits up to one edition; `number` counts them."""

    number: int = 0
    newest: frozenset[int] = frozenset()
    """The hashes of the keys that the newest edit touched."""

    last: Mapping[int, int] = field(default_factory=dict)
    """The last edit that touched a key, by its hash."""

    everything: int = 0
    """The last edit that touched everything."""

    MAX_KEYS: ClassVar[int] = 50_000
    """The number of keys from which all are forgotten; then everything counts as touched."""

    def after(self, touched: Touched) -> Edits:
        """Return the edits with one more."""
        number, newest = self.number + 1, frozenset(map(hash, touched.keys))
        last = {**self.last, **dict.fromkeys(newest, number)}
        if touched.everything or len(last) > self.MAX_KEYS:
            return Edits(number, everything=number)
        return Edits(number, newest, last, self.everything)

    def left_alone(self, reads: Reads[int], since: int) -> bool:
        """Return whether no edit after number `since` touched what was read."""
        if since < self.everything:
            return False
        if since == self.number - 1:
            return self.newest.isdisjoint(reads)
        get = self.last.get
        return all(get(key, 0) <= since for key in reads)
