"""Postings: which documents have a word, and how often. They are in memory, or read with Whoosh."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import lru_cache, partial
from itertools import repeat
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple, Protocol
from weakref import finalize

from msgspec import DecodeError, msgpack
from whoosh.fields import KEYWORD, Schema
from whoosh.index import create_in, open_dir
from whoosh.reading import IndexReader

_STORED = "stored"
"""Ending of the file with the stored values, which Whoosh would read one by one."""

_MAX_LISTS = 1_024
"""The number of lists to keep after reading. All lists of 50,000 posts take about 10 MB."""

_SORTED_MB = 8
"""The postings to sort at a time, which no other thread can interrupt."""


class Document(NamedTuple):
    """The words of each field, separated by spaces, and a value to be stored."""

    words: Mapping[str, str]
    stored: object


class Postings(Protocol):
    """The postings of an immutable set of documents, which are numbered from 0."""

    def numbers(self, field: str, word: str) -> Sequence[int]:
        """Return the documents that have a word in a field, each as often as it has it."""


class MemoryPostings:
    """Postings in memory, made in milliseconds for some hundred documents."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self._numbers: dict[tuple[str, str], array[int]] = {}
        for number, document in enumerate(documents):
            for field, words in document.words.items():
                for word in words.split():
                    self._numbers.setdefault((field, word), array("I")).append(number)

    def numbers(self, field: str, word: str) -> Sequence[int]:
        """Return the documents that have a word in a field, each as often as it has it."""
        return self._numbers.get((field, word), ())


class WhooshPostings:
    """Postings in a Whoosh index on disk."""

    def __init__(self, folder: Path, name: str) -> None:
        self._stored = folder / f"{name}.{_STORED}"
        self._reader: IndexReader = open_dir(str(folder), name, readonly=True).reader()
        finalize(self, self._reader.close)
        # Whoosh readers share one file position, hence the lock.
        self.numbers = lru_cache(_MAX_LISTS)(partial(_read, self._reader, Lock()))

    @property
    def stored(self) -> Iterator[Any]:
        """The stored values of all documents, in order; raises ValueError if damaged."""
        try:
            return iter(msgpack.decode(self._stored.read_bytes(), type=list[Any]))
        except DecodeError as error:
            raise ValueError(str(error)) from error


def _read(
    reader: IndexReader, lock: AbstractContextManager[bool], field: str, word: str
) -> Sequence[int]:
    numbers = array("I")
    with lock:
        if (field, word) in reader:
            matcher = reader.postings(field, word)
            while matcher.is_active():
                number = matcher.id()
                numbers.append(number)
                if (count := matcher.weight()) > 1:
                    numbers.extend(repeat(number, int(count) - 1))
                matcher.next()
    return numbers


def write_postings(
    folder: Path, name: str, fields: Iterable[str], documents: Iterable[Document]
) -> None:
    """Write a Whoosh index of documents with these fields; several fit into a folder."""
    schema, stored = Schema(**{field: KEYWORD() for field in fields}), []
    writer = create_in(str(folder), schema, name).writer(limitmb=_SORTED_MB, compound=False)
    try:
        for document in documents:
            writer.add_document(**document.words)
            stored.append(document.stored)
    except BaseException:
        writer.cancel()
        raise
    writer.commit()
    (folder / f"{name}.{_STORED}").write_bytes(msgpack.encode(stored))
