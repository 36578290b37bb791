"""Memory: how a Whoosh index lies there, is made there, and is read whole.

Whoosh works for disks: it sorts in temporary files of one name for all processes, and walks its
lists one entry at a time. Ours never leaves memory and is read a block at a time, which is some
ten times faster.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from whoosh.codec.whoosh3 import W3Codec, W3LeafMatcher, W3PostingsWriter
from whoosh.fields import Schema
from whoosh.filedb.filestore import RamStorage
from whoosh.filedb.structfile import BufferFile
from whoosh.reading import IndexReader
from whoosh.writing import SegmentWriter

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


class BlocksWriter(W3PostingsWriter):  # type: ignore[misc]  # Whoosh has no types
    """Writes a word's list: numbers and counts only.

    Whoosh adds a value to each entry, which here would be the count once more and most of the file.
    """

    def _mini_values(self) -> None:
        return None

    def _mini_weights(self) -> Any:
        """As integers, which all counts are: floats take nine bytes each."""
        counts = super()._mini_weights()
        return tuple(map(int, counts)) if isinstance(counts, tuple) else counts


class MemoryCodec(W3Codec):  # type: ignore[misc]  # Whoosh has no types
    """Whoosh's own format, without compression, its lists read as `Blocks`."""

    def __init__(self) -> None:
        super().__init__(blocklimit=_BLOCK, compression=0, inlinelimit=0)

    def postings_writer(self, dbfile: Any, byteids: bool = False) -> BlocksWriter:
        """What writes the lists."""
        return BlocksWriter(dbfile, _BLOCK, byteids, compression=0, inlinelimit=0)

    def postings_reader(
        self, dbfile: Any, terminfo: Any, format_: Any, term: Any = None, scorer: Any = None
    ) -> Blocks:
        """The list of a word; none is short enough to stand beside the word itself."""
        return Blocks(dbfile, *terminfo.extent(), format_, term=term, scorer=scorer)


class MemoryStorage(RamStorage):  # type: ignore[misc]  # Whoosh has no types
    """Files in memory, the temporary ones too."""

    def temp_storage(self, name: str | None = None) -> MemoryStorage:
        """A place for files that are soon gone."""
        return MemoryStorage()

    def open_file(self, name: str, **options: Any) -> BufferFile:
        """A file read where it lies; Whoosh's own way copies it."""
        if name not in self.files:
            raise NameError(name)
        return BufferFile(self.files[name], name=name, **options)


class MemoryPool:
    """The lists while they are made, in place of `whoosh.writing.PostingPool`.

    An entry takes eight bytes, where Whoosh's take some hundred and spill to disk. Texts come in
    the order of their numbers.
    """

    def __init__(self) -> None:
        self.fieldnames: set[str] = set()
        self._lists: dict[tuple[str, bytes], tuple[array[int], array[float]]] = {}

    def add(self, entry: tuple[str, bytes, int, float, bytes]) -> None:
        """Take in that a word stands in a text, and how often."""
        field, word, number, count, _ = entry
        self.fieldnames.add(field)
        numbers, counts = self._lists.setdefault((field, word), (array("I"), array("f")))
        numbers.append(number)
        counts.append(count)

    def iter_postings(self) -> Iterator[tuple[str, bytes, int, float, bytes]]:
        """All entries by field, word and number."""
        for field, word in sorted(self._lists):
            for number, count in zip(*self._lists[field, word], strict=True):
                yield field, word, number, count, b""

    def cleanup(self) -> None:
        """Forget everything."""
        self._lists.clear()


Files = Mapping[str, bytes]
"""What an index consists of, by the names that Whoosh gives."""


def made_in_memory(schema: Schema, documents: Iterable[Mapping[str, object]]) -> Files:
    """A new index of these documents, numbered from 0."""
    storage = MemoryStorage()
    # One file for each part: a part of a compound file is a copy.
    writer = SegmentWriter(storage.create_index(schema), codec=MemoryCodec(), compound=False)
    writer.pool = MemoryPool()
    try:
        for document in documents:
            writer.add_document(**document)
    except BaseException:
        writer.cancel()
        raise
    writer.commit()
    files: Files = storage.files
    return files


def opened(files: Files) -> IndexReader:
    """A reader of such an index."""
    storage = MemoryStorage()
    storage.files.update(files)
    return storage.open_index().reader()
