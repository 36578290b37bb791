"""Nearest titles: what a reader of a missing page may have meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from indexes.analysis import fold
from knowledge.addresses import Address
from knowledge.links import address_of
from knowledge.names import Kind
from knowledge.resolution import Entry
from knowledge.resources.base import title_of
from knowledge.snapshot import Snapshot
from knowledge.view import View

_LIMIT = 5
_LONGEST_PATH = 200
_LEAST_SHARE = 0.25


class NearestTitles:
    """Finds pages by how many letter triples their slug shares with a path; one per edition."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    @cached_property
    def _entries(self) -> list[tuple[Entry, Address]]:
        found = ((entry, address_of(entry)) for kind in Kind for entry in self._snapshot.all(kind))
        return [(entry, address) for entry, address in found if address is not None]

    @cached_property
    def _postings(self) -> dict[str, list[int]]:
        postings: dict[str, list[int]] = {}
        for number, (entry, _) in enumerate(self._entries):
            for triple in _triples(entry.slug):
                postings.setdefault(triple, []).append(number)
        return postings

    def find(self, view: View, path: str) -> list[tuple[str, Address]]:
        """Title and address of the nearest pages that these readers can have, best first."""
        wanted = _triples(path[:_LONGEST_PATH].rstrip("/").rpartition("/")[2])
        shared = Counter(number for triple in wanted for number in self._postings.get(triple, ()))
        near = [number for number, count in shared.items() if count >= _LEAST_SHARE * len(wanted)]
        near.sort(key=lambda number: (-shared[number], len(self._entries[number][0].slug), number))
        return list(self._readable(view, near))[:_LIMIT]

    def _readable(self, view: View, near: list[int]) -> Iterator[tuple[str, Address]]:
        # A few of the nearest may be hidden; looking at many more would not help the reader.
        for number in near[: 4 * _LIMIT]:
            entry, address = self._entries[number]
            resolved = view.resolve_entry(entry)
            if resolved is not None:
                yield title_of(resolved), address


def _triples(text: str) -> set[str]:
    padded = f"  {fold(text)} "
    return {padded[start : start + 3] for start in range(len(padded) - 2)} if text else set()
