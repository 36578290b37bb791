"""The bases on disk: made by one process, opened by others, and named by what they hold.

The name of a base is a digest of its analysis and one of its pages. A base that is damaged, or was
made by another analysis or for other pages, is deleted and never used.
"""

from __future__ import annotations

import fcntl
import json
import logging
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from time import sleep
from typing import IO
from zlib import crc32

from indexes.passages.analysis import Analyzer
from indexes.passages.fields import open_index
from indexes.passages.index import (
    Base,
    PassageIndex,
    Progress,
    Writing,
    index_of,
    is_small,
    no_progress,
)
from indexes.passages.lexicon import Lexicon
from indexes.passages.passage import Pages
from indexes.passages.segment import Segment

log = logging.getLogger(__name__)

_PASSAGES, _WORDS, _MANIFEST, _LOCK = "passages", "words", "manifest.json", ".lock"
_UNFINISHED = "unfinished-"
_RETRY_SECONDS = 0.05
_OURS = re.compile(rf"[0-9a-f]{{16}}-[0-9a-f]{{16}}|{_UNFINISHED}.*")


class IndexFolder:
    """Opens and makes the bases of one folder, in the terms of one analyzer."""

    def __init__(self, folder: Path, analyzer: Analyzer) -> None:
        self._folder = folder
        self._analyzer = analyzer
        self._analysis = _digest(f"{version('tantivy')} {analyzer.digest}")

    def open(self, pages: Pages) -> PassageIndex | None:
        """Open the base of these pages, or one that differs in a few; None if there is none.

        It only reads and takes milliseconds, apart from analysing the pages that differ.
        """
        bases = (self._opened(name) for name in self._names(pages.versions))
        return next((index_of(base, self._analyzer).updated(pages) for base in bases if base), None)

    def make(self, pages: Pages, progress: Progress = no_progress) -> PassageIndex:
        """Open the base of exactly these pages or make it, and delete all others.

        Of several processes one makes it, while the others wait and report no progress. If the
        folder cannot be written, the base is in memory.
        """
        total, name = len(pages.versions), self._name(pages.versions)
        try:
            with self._locked(lambda: progress(0, total)):
                base = self._opened(name) or self._made(name, pages, progress)
                self._delete_all_but(name)
        except (OSError, ValueError) as error:  # tantivy reports a full disk as a ValueError.
            log.warning("The search index is kept in memory: %s", error)
            base = Writing(pages, self._analyzer, progress).write(None, None)
        return index_of(base, self._analyzer)

    def _name(self, versions: Mapping[str, str]) -> str:
        return f"{self._analysis}-{_digest(json.dumps(sorted(versions.items())))}"

    def _names(self, versions: Mapping[str, str]) -> Iterator[str]:
        """Yield the bases that may be used: the exact one, then those with few differences."""
        exact = self._name(versions)
        yield exact
        for folder in self._folder.glob(f"{self._analysis}-*"):
            before = _versions(folder)
            differences = dict(before.items() ^ versions.items())
            if folder.name != exact and before and is_small(len(differences), len(before)):
                yield folder.name

    def _opened(self, name: str) -> Base | None:
        """Open a base after comparing each of its files with its checksum."""
        folder = self._folder / name
        try:
            manifest = json.loads((folder / _MANIFEST).read_text(encoding="utf-8"))
            if manifest["files"] == _checksums(folder) and name == self._name(manifest["versions"]):
                segment = Segment(open_index(folder / _PASSAGES), manifest["length"])
                lexicon = Lexicon(open_index(folder / _WORDS))
                return Base(segment, lexicon, manifest["versions"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            pass
        return None

    def _made(self, name: str, pages: Pages, progress: Progress) -> Base:
        unfinished = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=self._folder))
        for part in (_PASSAGES, _WORDS):
            (unfinished / part).mkdir()
        writing = Writing(pages, self._analyzer, progress)
        base = writing.write(unfinished / _PASSAGES, unfinished / _WORDS)
        manifest = {
            "length": writing.length,
            "versions": base.versions,
            "files": _checksums(unfinished),
        }
        (unfinished / _MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
        finished = self._folder / name
        shutil.rmtree(finished, ignore_errors=True)  # a damaged base
        unfinished.rename(finished)
        return base

    def _delete_all_but(self, name: str) -> None:
        """Delete other bases. Processes that have one open keep it until they close it."""
        for folder in self._folder.iterdir():
            if folder.name != name and _OURS.fullmatch(folder.name):
                shutil.rmtree(folder, ignore_errors=True)

    @contextmanager
    def _locked(self, wait: Callable[[], None]) -> Iterator[None]:
        """Hold the lock of the folder; `wait` is called as long as another process has it."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with (self._folder / _LOCK).open("w") as handle:
            while not _lock(handle):
                wait()
                sleep(_RETRY_SECONDS)
            yield


def _lock(handle: IO[str]) -> bool:
    """Lock a file; return whether no other process has locked it."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=8).hexdigest()


def _versions(folder: Path) -> Mapping[str, str]:
    """Return the versions of the pages of a base; none if its manifest cannot be read."""
    try:
        manifest = json.loads((folder / _MANIFEST).read_text(encoding="utf-8"))
        return dict(manifest["versions"])
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _checksums(folder: Path) -> Mapping[str, int]:
    """Return the checksum of each file of the two indexes, without the locks of tantivy."""
    return {
        str(path.relative_to(folder)): crc32(path.read_bytes())
        for part in (_PASSAGES, _WORDS)
        for path in sorted((folder / part).iterdir())
        if path.suffix != ".lock"
    }
