"""The file of a backup: a tar archive, not compressed, whose last member is the manifest.

Without compression a restore writes no more than the file is long. Of what the archive says of its
members only names and sizes are used, and both must be those of the manifest.
"""

from __future__ import annotations

import hashlib
import io
import tarfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import IO, Annotated, Final, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from app.platform.database import BackupError

_MANIFEST = "manifest.json"
_LONGEST_MANIFEST = 64 * 1024 * 1024
"""Bytes; a member takes less than 200 of them, unless its path is long."""

_CHUNK = 1024 * 1024


class ArchiveWriter:
    """Adds members to an archive, then the manifest that has their digests."""

    def __init__(self, archive: tarfile.TarFile, created_at: datetime) -> None:
        self._archive = archive
        self._created_at = created_at
        self.members: dict[str, Member] = {}

    def add(self, name: str, file: IO[bytes], size: int) -> None:
        """Add a member; raises OSError if the file has become shorter than `size`."""
        hashing = _Hashing(file)
        self._archive.addfile(self._head(name, size), hashing)
        self.members[name] = Member(size=size, sha256=hashing.digest.hexdigest())

    def finish(self, manifest: Manifest) -> None:
        """Add the manifest."""
        text = manifest.model_dump_json(indent=1).encode()
        self._archive.addfile(self._head(_MANIFEST, len(text)), io.BytesIO(text))

    def _head(self, name: str, size: int) -> tarfile.TarInfo:
        head = tarfile.TarInfo(name)
        head.size, head.mode = size, 0o600
        head.mtime = int(self._created_at.timestamp())
        return head


@contextmanager
def writing(file: Path, created_at: datetime) -> Iterator[ArchiveWriter]:
    """Open a file to write an archive to."""
    with tarfile.open(file, "w", format=tarfile.PAX_FORMAT) as archive:
        yield ArchiveWriter(archive, created_at)


NOT_ONE = "It is not a backup of `majlis backup`, or it is damaged"


class Archive:
    """An archive that is open to be read, and whose members are those of its manifest."""

    def __init__(self, archive: tarfile.TarFile, length: int) -> None:
        self._archive = archive
        self._heads = dict(_heads(archive, length))
        self.manifest = Manifest.parse(self._manifest())
        listed = {name: member.size for name, member in self.manifest.members.items()}
        if listed != {name: head.size for name, head in self._heads.items()}:
            raise BackupError(f"{NOT_ONE}: its members are not those of its manifest.")

    def extract(self, name: str, target: IO[bytes]) -> None:
        """Write a member to a file; raises BackupError if it is not the one of the manifest."""
        source = self._archive.extractfile(self._heads[name])
        digest = hashlib.sha256()
        while source and (chunk := source.read(_CHUNK)):
            digest.update(chunk)
            target.write(chunk)
        if digest.hexdigest() != self.manifest.members[name].sha256:
            raise BackupError(f"The backup is damaged: the digest of {name} differs.")

    def _manifest(self) -> bytes:
        head = self._heads.pop(_MANIFEST, None)
        if head is None:
            raise BackupError(f"{NOT_ONE}: it has no manifest.")
        file = self._archive.extractfile(head) if head.size <= _LONGEST_MANIFEST else None
        return file.read() if file else b""


@contextmanager
def reading(file: Path) -> Iterator[Archive]:
    """Open an archive and check everything but the digests; raises BackupError and OSError."""
    with ExitStack() as stack:
        opened = stack.enter_context(_Bounded(file))
        try:
            members = stack.enter_context(tarfile.open(fileobj=opened, mode="r:"))
            archive = Archive(members, opened.length)
        except (tarfile.TarError, EOFError, ValueError, OverflowError, RecursionError):
            raise BackupError(f"{file}: {NOT_ONE}: it is not a tar archive, or cut off.") from None
        yield archive


def _heads(archive: tarfile.TarFile, length: int) -> Iterator[tuple[str, tarfile.TarInfo]]:
    """Yield each member that a backup may have; raises BackupError for any other."""
    seen = set()
    for head in archive:
        if head.name in seen or not _is_allowed(head, length):
            raise BackupError(f"{NOT_ONE}: it has a member that no backup has, {head.name!r:.80}.")
        seen.add(head.name)
        yield head.name, head


def _is_allowed(head: tarfile.TarInfo, length: int) -> bool:
    is_plain = head.isreg() and not head.issparse()
    is_whole = head.size >= 0 and head.offset_data + head.size <= length
    return is_plain and is_whole and is_member(head.name)


DATABASE = "database"
"""The member with the database: a file of SQLite, or a dump of pg_dump in its custom format."""

KEYS = "keys/"
CONTENT = "content/"
"""What the names of members begin with."""


def is_member(name: str) -> bool:
    """Return whether a backup may have a member of this name; none leads out of its folder.

    >>> [is_member(name) for name in ("database", "keys/preview.key", "content/pages/a.md")]
    [True, True, True]
    >>> [is_member(name) for name in ("/etc/passwd", "content/../a", "content//a", "keys/a/b", "x")]
    [False, False, False, False, False]
    """
    path = PurePosixPath(name)
    if str(path) != name or ".." in path.parts or "\\" in name or not name.isprintable():
        return False
    if name in (DATABASE, _MANIFEST):
        return True
    is_key = name.startswith(KEYS) and len(path.parts) == 2
    return is_key or (name.startswith(CONTENT) and len(path.parts) > 1)


class _Hashing(io.RawIOBase):
    """Computes the digest of what is read from a file."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.digest = hashlib.sha256()

    def read(self, size: int = -1, /) -> bytes:
        chunk = self._file.read(size)
        self.digest.update(chunk)
        return chunk


class _Bounded(io.FileIO):
    """A file of which nobody reads more than there is: archives say how much to make room for."""

    def __init__(self, file: Path) -> None:
        super().__init__(file)
        self.length = self.seek(0, io.SEEK_END)
        self.seek(0)

    def read(self, size: int | None = -1, /) -> bytes:
        left = max(self.length - self.tell(), 0)
        return super().read(left if size is None or size < 0 else min(size, left)) or b""


FORMAT: Final = 1
"""The form of the file. A version of the service reads those up to its own."""


class Member(BaseModel):
    """The size and the digest of a member."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    size: Annotated[int, Field(ge=0)]
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class Manifest(BaseModel):
    """What a backup holds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1] = FORMAT
    majlis: str
    created_at: AwareDatetime
    database: Literal["sqlite", "postgresql"]
    schema_revision: str
    members: dict[str, Member]

    @classmethod
    def parse(cls, text: bytes) -> Manifest:
        """Return the manifest; raises BackupError if it is none, or of a newer version."""
        try:
            form = _Form.model_validate_json(text).format
            if form > FORMAT:
                raise BackupError(
                    f"The backup has format {form}, which a newer version of majlis wrote. "
                    "Install that version."
                )
            manifest = cls.model_validate_json(text)
        except ValidationError:
            raise BackupError(f"{NOT_ONE}: its manifest is invalid.") from None
        if DATABASE not in manifest.members:
            raise BackupError(f"{NOT_ONE}: its manifest names no database.")
        return manifest

    def names(self, folder: str) -> tuple[str, ...]:
        """Return the names of the members in a folder, such as `KEYS`."""
        return tuple(name for name in self.members if name.startswith(folder))


class _Form(BaseModel):
    """The part of a manifest that every version has."""

    format: int
