"""The edits of a content store: which keys they touched, so that what else was made is kept."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from knowledge.edits import Key
from knowledge.views.edit_effects import EVERYTHING, Touched

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

    recent: tuple[Touched, ...] = ()
    """What the last edits touched, the newest at the end."""

    MAX_KEYS: ClassVar[int] = 50_000
    """The number of keys from which all are forgotten; then everything counts as touched."""

    MAX_RECENT: ClassVar[int] = 32

    def after(self, touched: Touched) -> Edits:
        """Return the edits with one more."""
        number, newest = self.number + 1, frozenset(map(hash, touched.keys))
        last = {**self.last, **dict.fromkeys(newest, number)}
        recent = (*self.recent, touched)[-self.MAX_RECENT :]
        if touched.everything or len(last) > self.MAX_KEYS:
            return Edits(number, everything=number, recent=recent)
        return Edits(number, newest, last, self.everything, recent)

    def since(self, number: int) -> Touched | None:
        """Return what the edits after a number touched together, or None without such edits."""
        count = self.number - number
        if count <= 0:
            return None
        edits = self.recent[-count:]
        if count > len(edits) or any(each.everything for each in edits):
            return EVERYTHING
        return Touched(frozenset().union(*(each.keys for each in edits)))

    def left_alone(self, reads: Reads[int], since: int) -> bool:
        """Return whether no edit after number `since` touched what was read."""
        if since < self.everything:
            return False
        if since == self.number - 1:
            return self.newest.isdisjoint(reads)
        get = self.last.get
        return all(get(key, 0) <= since for key in reads)
