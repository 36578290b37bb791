"""Postings: Whoosh's lists of which texts hold a word, read whole and from memory.

Whoosh walks its lists one entry at a time, as on a disk they may be long. Ours lie in memory and
are wanted whole: a block at a time is some ten times faster.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from whoosh.codec.whoosh3 import W3Codec, W3LeafMatcher

_BLOCK = 1_024
"""Entries to a block; in memory large blocks that nobody packs are read faster."""


class Blocks(W3LeafMatcher):  # type: ignore[misc]  # Whoosh has no types
    """A word's list, block by block."""

    def numbers(self) -> Iterator[int]:
        """The number of each text."""
        return chain.from_iterable(self._ids for _ in self._blocks())

    def counted(self) -> Iterator[tuple[int, float]]:
        """The number of each text, and how often the word stands in it."""
        return chain.from_iterable(
            zip(self._ids, self._weights, strict=True) for _ in self._blocks()
        )

    def _blocks(self) -> Iterator[None]:
        """Each block in turn, loaded."""
        while self.is_active():
            self._read_ids()
            self._read_weights()
            yield
            self._next_block()


class MemoryCodec(W3Codec):  # type: ignore[misc]  # Whoosh has no types
    """Whoosh's own format, without compression, its lists read as `Blocks`."""

    def __init__(self) -> None:
        super().__init__(blocklimit=_BLOCK, compression=0, inlinelimit=0)

    def postings_reader(
        self, dbfile: Any, terminfo: Any, format_: Any, term: Any = None, scorer: Any = None
    ) -> Blocks:
        """The list of a word; none is short enough to stand beside the word itself."""
        return Blocks(dbfile, *terminfo.extent(), format_, term=term, scorer=scorer)
