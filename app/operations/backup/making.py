"""Making a backup: the database, the keys, and the content if wanted, in one file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from app.operations.backup.archive import (
    CONTENT,
    DATABASE,
    KEYS,
    ArchiveWriter,
    Manifest,
    is_member,
    writing,
)
from app.operations.backup.postgresql import PostgresqlPrograms
from app.platform.database.backup import back_up, replacement, require_absent
from app.platform.database.errors import BackupError
from app.platform.database.url import sqlite_file
from app.platform.version import VERSION
from knowledge.diagnostics.diagnostic import ContentFileError
from knowledge.documents.opening import open_beneath


@dataclass(frozen=True)
class State:
    """Where the state of a service is."""

    database_url: str
    revision: str
    """The schema of a PostgreSQL database; that of SQLite is read from its copy."""
    keys: Mapping[str, Path]
    content: Path | None
    """The folder, or None to leave it out."""


@dataclass(frozen=True)
class Made:
    """What was written, and the entries of the content folder that were left out."""

    manifest: Manifest
    left_out: tuple[str, ...]


def make_backup(
    state: State, file: Path, now: datetime, wait_seconds: float, *, overwrite: bool
) -> Made:
    """Write a backup, while the service may run; its owner alone can read it.

    Raises BackupError, OSError or sqlite3.Error, and then leaves all files unchanged.
    """
    file = file.absolute()
    require_absent(file, overwrite)
    _require_apart(state, file)
    with (
        TemporaryDirectory(prefix=f".{file.name}.", dir=file.parent) as folder,
        replacement(file, overwrite=overwrite) as target,
        writing(target, now) as archive,
    ):
        copy = Path(folder, DATABASE)
        revision = _copy_database(state, copy, wait_seconds)
        _add_file(archive, DATABASE, copy)
        copy.unlink()
        _add_keys(archive, state.keys)
        left_out = tuple(_add_content(archive, state.content)) if state.content else ()
        manifest = Manifest(
            majlis=VERSION,
            created_at=now,
            database="sqlite" if sqlite_file(state.database_url) else "postgresql",
            schema_revision=revision,
            members=archive.members,
        )
        archive.finish(manifest)
    return Made(manifest, left_out)


def _require_apart(state: State, file: Path) -> None:
    """Raise BackupError for a backup in place of what it holds, or where it would be published."""
    database = sqlite_file(state.database_url)
    if any(part and part.absolute() == file for part in (database, *state.keys.values())):
        raise BackupError(f"{file} is a file of the service itself. Choose another one.")
    if state.content and file.resolve().is_relative_to(state.content.resolve()):
        raise BackupError(f"{file} is in the content folder, which is public. Choose another one.")


def _copy_database(state: State, copy: Path, wait_seconds: float) -> str:
    """Copy the database as it is at one instant, and return its schema."""
    database = sqlite_file(state.database_url)
    if database:
        return back_up(database.absolute(), copy, wait_seconds, overwrite=False)
    PostgresqlPrograms(state.database_url).dump(copy)
    return state.revision


def _add_keys(archive: ArchiveWriter, keys: Mapping[str, Path]) -> None:
    for name, path in keys.items():
        with suppress(FileNotFoundError):  # it was not made yet
            _add_file(archive, KEYS + name, path)


def _add_file(archive: ArchiveWriter, name: str, path: Path) -> None:
    with path.open("rb") as file:
        archive.add(name, file, os.fstat(file.fileno()).st_size)


def _add_content(archive: ArchiveWriter, root: Path) -> Iterator[str]:
    """Add the files of the content folder, and yield the paths of what is left out."""
    for path in content_paths(root):
        try:
            file = open_content(root, path)
        except FileNotFoundError:  # deleted since its folder was read
            continue
        if file is None:
            yield path
            continue
        with file:
            archive.add(CONTENT + path, file, os.fstat(file.fileno()).st_size)


def content_paths(root: Path) -> Iterator[str]:
    """Yield the path of each entry that is not hidden; raises OSError if one is unreadable."""
    for folder, folders, files in os.walk(root, onerror=_raise):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        linked = (name for name in folders if Path(folder, name).is_symlink())
        for name in sorted((*files, *linked)):
            if not name.startswith("."):
                yield Path(folder, name).relative_to(root).as_posix()


def open_content(root: Path, path: str) -> IO[bytes] | None:
    """Open a file of the folder; returns None for what a backup does not hold.

    Raises OSError, FileNotFoundError for a file that was deleted meanwhile.
    """
    if not is_member(CONTENT + path):
        return None
    try:
        return os.fdopen(open_beneath(root, path), "rb")
    except ContentFileError:
        return None


def _raise(error: OSError) -> None:
    raise error
