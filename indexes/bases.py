"""Bases: indexes on disk that processes share, and the edits since.

A base is the index of all pages at one time. Its name is a digest of its software and analysis, and
one of its pages. A base that is damaged, or was made by other software or for other pages, is
deleted and never used.
"""

from __future__ import annotations

import fcntl
import json
import logging
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from time import sleep
from typing import Generic, Protocol, TypeVar
from zlib import crc32

from knowledge.edits import changed_keys

_FEW_PAGES = 100
_SMALL_SHARE = 0.02
"""A new base is due if the edits exceed both: pages, and share of the pages of the base."""

Text = TypeVar("Text")


@dataclass(frozen=True, slots=True)
class _Edited(Generic[Text]):
    """A page that differs from the base."""

    version: str
    texts: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class EditedPages(Generic[Text]):
    """The pages that were edited or added since a base was made, and those that were removed."""

    edited: Mapping[str, _Edited[Text]]
    removed: frozenset[str]

    @classmethod
    def none(cls) -> EditedPages[Text]:
        """Return no edits."""
        return cls({}, frozenset())

    def next(
        self,
        base: Mapping[str, str],
        before: Mapping[str, str],
        versions: Mapping[str, str],
        analysed: Callable[[str], Iterable[Text]],
    ) -> EditedPages[Text]:
        """Return the edits of the next edition, whose pages had the versions `before`.

        Only pages with new versions are analysed.
        """
        changed = changed_keys(before, versions)
        different = (self.edited.keys() | changed) & versions.keys()
        edited: dict[str, _Edited[Text]] = {}
        for page in sorted(different):
            known, version = self.edited.get(page), versions[page]
            if base.get(page) == version:
                continue
            if known is None or known.version != version:
                known = _Edited(version, tuple(analysed(page)))
            edited[page] = known
        gone = (page for page in self.removed | changed if page not in versions)
        return EditedPages(edited, frozenset(base.keys() & gone))

    @property
    def texts(self) -> Iterable[Text]:
        """The texts of the edited pages."""
        return chain.from_iterable(each.texts for each in self.edited.values())

    @property
    def outdated(self) -> frozenset[str]:
        """The pages whose texts in the base do not count any more."""
        return self.removed.union(self.edited)

    def __len__(self) -> int:
        """Return the number of pages that differ."""
        return len(self.edited) + len(self.removed)


def differences(before: Mapping[str, str], after: Mapping[str, str]) -> int:
    """Return the number of pages that were added, removed or edited.

    >>> differences({"a": "1", "b": "1", "gone": "1"}, {"a": "1", "b": "2", "new": "1"})
    3
    """
    changed = changed_keys(before, after)
    return sum(before.get(page) != after.get(page) for page in changed)


def is_small(differences: int, pages: int) -> bool:
    """Return whether so many pages may differ from a base of so many pages."""
    return differences <= max(_FEW_PAGES, _SMALL_SHARE * pages)


log = logging.getLogger(__name__)

_MANIFEST, _LOCK = "manifest.json", ".lock"
_UNFINISHED = "unfinished-"
_ARTEFACT = "index-"
_RETRY_SECONDS = 0.05
_OURS = re.compile(rf"[0-9a-f]{{16}}-[0-9a-f]{{16}}|{_UNFINISHED}.*")
_READ_BYTES = 256 * 1024
_LOCKS = (".lock", "LOCK")
"""Endings of files that the engines lock, and that belong to no index."""

Progress = Callable[[int, int], None]
"""Called during a build with the number of analysed pages and of all pages."""


def no_progress(done: int, total: int) -> None:
    """Ignore the progress of a build."""


class Versioned(Protocol):
    """Pages to index."""

    @property
    def versions(self) -> Mapping[str, str]:
        """The version of each page: a digest of all that is indexed of it."""


PagesT = TypeVar("PagesT", bound=Versioned)
PagesT_contra = TypeVar("PagesT_contra", bound=Versioned, contravariant=True)
BaseT = TypeVar("BaseT")
BaseT_co = TypeVar("BaseT_co", covariant=True)


class Engine(Protocol[PagesT_contra, BaseT_co]):
    """Writes and opens the bases of one kind."""

    @property
    def digest(self) -> str:
        """Names software and analysis: bases of the same digest can be opened."""

    def write(self, pages: PagesT_contra, folder: Path | None, progress: Progress) -> BaseT_co:
        """Write a base to an empty folder, or to memory."""

    def open(self, folder: Path, versions: Mapping[str, str]) -> BaseT_co:
        """Open the base of these pages; raise OSError or ValueError if it is damaged."""


class Source(Protocol):
    """Where the bases are that another machine has made."""

    def fetch_folder(self, name: str, folder: Path) -> bool:
        """Fill an empty folder with a base; return whether there is one of this name."""

    def put_folder(self, name: str, folder: Path) -> None:
        """Add the base in a folder."""


class IndexFolder(Generic[PagesT, BaseT]):
    """Opens and makes the bases of one folder, or fetches them from a source."""

    def __init__(
        self, folder: Path, engine: Engine[PagesT, BaseT], source: Source | None = None
    ) -> None:
        self._folder = folder
        self._engine = engine
        self._source = source
        self._software = _digest(engine.digest)

    def open(self, pages: PagesT) -> BaseT | None:
        """Open the base of these pages, or one that differs in a few; None if there is none.

        It only reads.
        """
        versions = pages.versions
        exact = self._opened(self._name(versions), versions, is_exact=True)
        similar = (self._opened(name, versions) for name in self._similar(versions))
        return exact or next(filter(None, similar), None)

    def make(self, pages: PagesT, progress: Progress = no_progress) -> BaseT:
        """Open the base of exactly these pages; or fetch or make it, and delete all others.

        Of several that call it one makes a base, while the others wait, report no progress, and
        open it even if their pages differ in a few: else each edit meanwhile would make one more.
        If the folder cannot be written, the base is in memory.
        """
        total, name = len(pages.versions), self._name(pages.versions)
        try:
            with self._locked(lambda: progress(0, total)) as has_waited:
                if has_waited:
                    known = self.open(pages)
                else:
                    known = self._opened(name, pages.versions, is_exact=True)
                if known is not None:
                    return known
                base = self._fetched(name, pages) or self._made(name, pages, progress)
                for folder in self._folder.iterdir():
                    if folder.name != name and _OURS.fullmatch(folder.name):
                        # Processes that have it open keep it until they close it.
                        shutil.rmtree(folder, ignore_errors=True)
        except (OSError, ValueError) as error:  # tantivy reports a full disk as a ValueError.
            log.warning("The search index is kept in memory: %s", error)
            base = self._engine.write(pages, None, progress)
        return base

    def put(self, pages: PagesT, target: Source) -> None:
        """Add the base of exactly these pages, which is in the folder, to a source."""
        name = self._name(pages.versions)
        if not (self._folder / name).is_dir():  # `make` has waited for one of similar pages
            self.make(pages)
        target.put_folder(f"{_ARTEFACT}{name}", self._folder / name)

    def _name(self, versions: Mapping[str, str]) -> str:
        return f"{self._software}-{digest_of(versions)}"

    def _similar(self, versions: Mapping[str, str]) -> Iterator[str]:
        """Yield the bases with few differences."""
        for folder in self._folder.glob(f"{self._software}-*"):
            before = _versions(folder)
            differences = dict(before.items() ^ versions.items())
            if before and is_small(len(differences), len(before)):
                yield folder.name

    def _opened(
        self, name: str, versions: Mapping[str, str], *, is_exact: bool = False
    ) -> BaseT | None:
        """Open a base of pages with these or similar versions; compare its files' checksums."""
        folder = self._folder / name
        try:
            manifest = json.loads((folder / _MANIFEST).read_text(encoding="utf-8"))
            stored: Mapping[str, str] = manifest["versions"]
            is_right = stored == versions if is_exact else name == self._name(stored)
            if is_right and manifest["files"] == _checksums(folder):
                return self._engine.open(folder, _shared(stored, versions))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            pass
        return None

    def _fetched(self, name: str, pages: PagesT) -> BaseT | None:
        """Return the base of the source; None without one, or if it is not of these pages."""
        if self._source is None:
            return None
        unfinished = self._unfinished()
        if not self._source.fetch_folder(f"{_ARTEFACT}{name}", unfinished):
            return None
        self._finish(unfinished, name)
        return self._opened(name, pages.versions, is_exact=True)

    def _made(self, name: str, pages: PagesT, progress: Progress) -> BaseT:
        unfinished = self._unfinished()
        base = self._engine.write(pages, unfinished, progress)
        manifest = {"versions": dict(pages.versions), "files": _checksums(unfinished)}
        (unfinished / _MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
        self._finish(unfinished, name)
        return base

    def _unfinished(self) -> Path:
        return Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=self._folder))

    def _finish(self, unfinished: Path, name: str) -> None:
        finished = self._folder / name
        shutil.rmtree(finished, ignore_errors=True)  # a damaged base
        unfinished.rename(finished)

    @contextmanager
    def _locked(self, wait: Callable[[], None]) -> Iterator[bool]:
        """Hold the lock of the folder, and yield whether another had it first.

        `wait` is called as long as another has it.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        has_waited = False
        with (self._folder / _LOCK).open("w") as handle:
            while True:
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    has_waited = True
                    wait()
                    sleep(_RETRY_SECONDS)
            yield has_waited


def digest_of(versions: Mapping[str, str]) -> str:
    """Return what names pages with these versions."""
    return _digest(json.dumps(sorted(versions.items())))


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=8).hexdigest()


def _versions(folder: Path) -> Mapping[str, str]:
    """Return the versions of the pages of a base; none if its manifest cannot be read."""
    try:
        manifest = json.loads((folder / _MANIFEST).read_text(encoding="utf-8"))
        return dict(manifest["versions"])
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _shared(stored: Mapping[str, str], known: Mapping[str, str]) -> Mapping[str, str]:
    """Return stored versions; what is known too is the same object, by which edits are found.

    >>> stored, known = {"a": "-".join("12"), "b": "3"}, {"a": "-".join("12"), "b": "4"}
    >>> shared = _shared(stored, known)
    >>> shared == stored, shared["a"] is known["a"]
    (True, True)
    """
    if stored == known:
        return known
    same = {page: version for page, version in known.items() if stored.get(page) == version}
    return {**same, **{page: each for page, each in stored.items() if page not in same}}


def _checksums(folder: Path) -> Mapping[str, int]:
    """Return the checksum of each file of the index, without the locks of its engine."""
    return {
        str(path.relative_to(folder)): _checksum(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != _MANIFEST and not path.name.endswith(_LOCKS)
    }


def _checksum(path: Path) -> int:
    """Return the checksum of a file, read into the same memory part by part."""
    memory, checksum = memoryview(bytearray(_READ_BYTES)), 0
    with path.open("rb", buffering=0) as opened:
        while length := opened.readinto(memory):
            checksum = crc32(memory[:length], checksum)
    return checksum
