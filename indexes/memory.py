"""Whoosh indexes in memory: how they are built, stored and read.

Whoosh is made for disks: it sorts in temporary files that have the same name in all processes,
and it reads posting lists one entry at a time. This index never leaves memory and is read one
block at a time, which is about ten times faster.
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
"""Entries per block; in memory, large uncompressed blocks are faster to read."""


class Blocks(W3LeafMatcher):  # type: ignore[misc]  # Whoosh has no types
    """The posting list of a word, read block by block."""

    def numbers(self) -> Iterator[int]:
        """Yield the numbers of the texts that have the word."""
        return chain.from_iterable(self._ids for _ in self._blocks())

    def counted(self) -> Iterator[tuple[int, float]]:
        """Yield the numbers of the texts that have the word, with its frequency in each."""
        return chain.from_iterable(
            zip(self._ids, self._weights, strict=True) for _ in self._blocks()
        )

    def _blocks(self) -> Iterator[None]:
        """Load one block after another; yield after each."""
        while self.is_active():
            self._read_ids()
            self._read_weights()
            yield
            self._next_block()


class BlocksWriter(W3PostingsWriter):  # type: ignore[misc]  # Whoosh has no types
    """Writes the posting list of a word: text numbers and frequencies only.

    Whoosh adds a value to each entry. Here that value would repeat the frequency and take up most
    of the file.
    """

    def _mini_values(self) -> None:
        return None

    def _mini_weights(self) -> Any:
        """Return the frequencies as integers, because floats take nine bytes each."""
        counts = super()._mini_weights()
        return tuple(map(int, counts)) if isinstance(counts, tuple) else counts


class MemoryCodec(W3Codec):  # type: ignore[misc]  # Whoosh has no types
    """Whoosh's format without compression; posting lists are read as `Blocks`."""

    def __init__(self) -> None:
        super().__init__(blocklimit=_BLOCK, compression=0, inlinelimit=0)

    def postings_writer(self, dbfile: Any, byteids: bool = False) -> BlocksWriter:
        """Return the writer of posting lists."""
        return BlocksWriter(dbfile, _BLOCK, byteids, compression=0, inlinelimit=0)

    def postings_reader(
        self, dbfile: Any, terminfo: Any, format_: Any, term: Any = None, scorer: Any = None
    ) -> Blocks:
        """Return the posting list of a word; lists are never stored inline with the word."""
        return Blocks(dbfile, *terminfo.extent(), format_, term=term, scorer=scorer)


class MemoryStorage(RamStorage):  # type: ignore[misc]  # Whoosh has no types
    """Files in memory, temporary files included."""

    def temp_storage(self, name: str | None = None) -> MemoryStorage:
        """Return a storage for temporary files."""
        return MemoryStorage()

    def open_file(self, name: str, **options: Any) -> BufferFile:
        """Return a file that is read without the copy that Whoosh makes."""
        if name not in self.files:
            raise NameError(name)
        return BufferFile(self.files[name], name=name, **options)


class MemoryPool:
    """Collects posting lists during the build; replaces `whoosh.writing.PostingPool`.

    An entry takes 8 bytes. In Whoosh it takes about 100, and the pool spills to disk. Texts must
    be added in the order of their numbers.
    """

    def __init__(self) -> None:
        self.fieldnames: set[str] = set()
        self._lists: dict[tuple[str, bytes], tuple[array[int], array[float]]] = {}

    def add(self, entry: tuple[str, bytes, int, float, bytes]) -> None:
        """Add one posting: field, word, number of the text, frequency."""
        field, word, number, count, _ = entry
        self.fieldnames.add(field)
        numbers, counts = self._lists.setdefault((field, word), (array("I"), array("f")))
        numbers.append(number)
        counts.append(count)

    def iter_postings(self) -> Iterator[tuple[str, bytes, int, float, bytes]]:
        """Yield all postings in the order of field, word and number."""
        for field, word in sorted(self._lists):
            for number, count in zip(*self._lists[field, word], strict=True):
                yield field, word, number, count, b""

    def cleanup(self) -> None:
        """Discard all postings."""
        self._lists.clear()


Files = Mapping[str, bytes]
"""The files of an index by name; Whoosh chooses the names."""


def made_in_memory(schema: Schema, documents: Iterable[Mapping[str, object]]) -> Files:
    """Return a new index of these documents, numbered from 0."""
    storage = MemoryStorage()
    # Separate files, because reading from a compound file copies.
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
    """Return a reader of an index."""
    storage = MemoryStorage()
    storage.files.update(files)
    return storage.open_index().reader()
