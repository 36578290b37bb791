"""The store of pictures: a folder in which several processes keep what one of them has made."""

import fcntl
import logging
import os
import re
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock

from app.platform.artefacts import SEAL_BYTES, Artefacts, seal_of

log = logging.getLogger(__name__)

MEMORY_BYTES = 32 * 1024 * 1024
"""Most memory of pictures that cannot be written to the disk."""
_LOCKS = 16
_OURS = re.compile(r"[a-z0-9]+-[a-z0-9]+\.[a-z]+|unfinished-.*")
_UNFINISHED = "unfinished-"

Make = Callable[[], bytes]


class ImageStore:
    """Keeps the pictures of one folder, by name.

    A file ends with the seal of artefacts, which programs ignore; one that is damaged or foreign is
    fetched from the source, or made anew.
    """

    def __init__(self, folder: Path, source: Artefacts | None = None) -> None:
        self._folder = folder
        self._source = source
        self._memory = _Memory()

    def read(self, name: str) -> bytes | None:
        """Return a picture that has been made, or None."""
        try:
            content = (self._folder / name).read_bytes()
        except OSError:
            return self._memory.get(name)
        picture, checksum = content[:-SEAL_BYTES], content[-SEAL_BYTES:]
        return picture if checksum == seal_of(name, [picture]) else None

    @property
    def changed_ns(self) -> int:
        """When a file was last added or removed, in nanoseconds since 1970; 0 without a folder."""
        with suppress(OSError):
            return self._folder.stat().st_mtime_ns
        return 0

    def names(self, beginning: str) -> list[str]:
        """Return the names of the files that begin so."""
        with suppress(OSError):  # no folder
            return [path.name for path in self._folder.glob(f"{beginning}*")]
        return []

    def get(self, name: str, make: Make) -> bytes:
        """Return a picture; of several processes one makes it. Raises what `make` raises."""
        with self._locked(name):
            picture = self.read(name)
            if picture is None and self._fetch(name):
                picture = self.read(name)
            if picture is None:
                picture = make()
                self._write(name, picture)
            return picture

    def prune(self, is_kept: Callable[[str], bool]) -> int:
        """Delete the pictures that are kept no longer; return how many. Other files stay."""
        deleted = 0
        with suppress(OSError):  # no folder, or one that cannot be written
            for path in list(self._folder.iterdir()):
                if _OURS.fullmatch(path.name) and not is_kept(path.name):
                    path.unlink(missing_ok=True)
                    deleted += 1
        return deleted

    def prune_oldest(self, beginnings: tuple[str, ...], count: int) -> int:
        """Delete all but the `count` newest of the pictures whose names begin so."""
        with suppress(OSError):  # as above
            files = [path for path in self._folder.iterdir() if path.name.startswith(beginnings)]
            files.sort(key=lambda path: path.stat().st_mtime_ns, reverse=True)
            for path in files[count:]:
                path.unlink(missing_ok=True)
            return len(files[count:])
        return 0

    def put(self, name: str, target: Artefacts) -> None:
        """Add a picture of the folder to a source; raises NotAdded."""
        target.put(name, self._folder / name)

    def _fetch(self, name: str) -> bool:
        """Fetch a picture into the folder; return whether the source has it."""
        if self._source is None:
            return False
        with suppress(OSError), TemporaryDirectory(prefix=_UNFINISHED, dir=self._folder) as folder:
            if self._source.fetch(name, fetched := Path(folder, name)):
                fetched.replace(self._folder / name)
                return True
        return False

    def _write(self, name: str, picture: bytes) -> None:
        try:
            self._write_file(name, picture + seal_of(name, [picture]))
        except OSError as error:
            if self._memory.put(name, picture):
                log.warning("Pictures are kept in memory: %s", error)

    def _write_file(self, name: str, content: bytes) -> None:
        descriptor, path = tempfile.mkstemp(prefix=_UNFINISHED, dir=self._folder)
        unfinished = Path(path)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
            unfinished.replace(self._folder / name)
        except OSError:
            unfinished.unlink(missing_ok=True)
            raise

    @contextmanager
    def _locked(self, name: str) -> Iterator[None]:
        """Hold the lock of a name, also against other processes if the folder can be written."""
        number = int(blake2b(name.encode(), digest_size=2).hexdigest(), 16) % _LOCKS
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            handle = (self._folder / f".lock-{number}").open("w")
        except OSError:
            with self._memory.lock:
                yield
            return
        with handle:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield


class _Memory:
    """Pictures in memory; the one that was used longest ago goes first."""

    def __init__(self) -> None:
        self.lock = Lock()
        self._pictures: OrderedDict[str, bytes] = OrderedDict()
        self._used = 0

    def get(self, name: str) -> bytes | None:
        picture = self._pictures.get(name)
        if picture is not None:
            with suppress(KeyError):  # another thread has just removed it
                self._pictures.move_to_end(name)
        return picture

    def put(self, name: str, picture: bytes) -> bool:
        """Add a picture; return whether it is the first one."""
        is_first = not self._pictures
        self._pictures[name] = picture
        self._used += len(picture)
        while self._used > MEMORY_BYTES:
            _, oldest = self._pictures.popitem(last=False)
            self._used -= len(oldest)
        return is_first
