"""Backups: database, keys and content in one file, and their restore."""

import io
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from app.operations.backup.archive import (
    CONTENT,
    DATABASE,
    KEYS,
    Archive,
    ArchiveWriter,
    Manifest,
    is_member,
    reading,
    writing,
)
from app.operations.backup.postgresql import PostgresqlPrograms
from app.platform import VERSION
from app.platform.database import BackupError, backup
from app.platform.database.metadata import is_known
from app.platform.database.url import sqlite_file
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
class BackupResult:
    """What was written, and the entries of the content folder that were skipped."""

    manifest: Manifest
    skipped: tuple[str, ...]


def make_backup(
    state: State, file: Path, now: datetime, wait_seconds: float, *, overwrite: bool
) -> BackupResult:
    """Write a backup, while the service may run; its owner alone can read it.

    Raises BackupError, OSError or sqlite3.Error, and then leaves all files unchanged.
    """
    file = file.absolute()
    backup.require_absent(file, overwrite)
    _require_apart(state, file)
    with (
        TemporaryDirectory(prefix=f".{file.name}.", dir=file.parent) as folder,
        backup.replacement(file, overwrite=overwrite) as target,
        writing(target, now) as archive,
    ):
        copy = Path(folder, DATABASE)
        revision = _copy_database(state, copy, wait_seconds)
        _add_file(archive, DATABASE, copy)
        copy.unlink()
        for name, path in state.keys.items():
            with suppress(FileNotFoundError):  # it was not made yet
                _add_file(archive, KEYS + name, path)
        skipped = tuple(_add_content(archive, state.content)) if state.content else ()
        manifest = Manifest(
            majlis=VERSION,
            created_at=now,
            database="sqlite" if sqlite_file(state.database_url) else "postgresql",
            schema_revision=revision,
            members=archive.members,
        )
        archive.finish(manifest)
    return BackupResult(manifest, skipped)


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
        return backup.back_up(database.absolute(), copy, wait_seconds, overwrite=False)
    PostgresqlPrograms(state.database_url).dump(copy)
    return state.revision


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


_PRODUCTS = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


@dataclass(frozen=True)
class RestorePlaces:
    """Where the parts of a backup are restored to; a part without a place is left in the backup."""

    database_url: str
    keys: Mapping[str, Path]
    content: Path | None


def read_manifest(file: Path) -> Manifest:
    """Return what a backup holds; raises BackupError and OSError."""
    with reading(file) as archive:
        return archive.manifest


def restore_backup(file: Path, places: RestorePlaces, *, overwrite: bool) -> Manifest:
    """Restore the parts that have a place, the database last, and return what the backup holds.

    Raises BackupError, OSError or sqlite3.Error, and then leaves everything unchanged.
    """
    with reading(file) as archive, ExitStack() as parts:
        manifest = archive.manifest
        if not is_known(manifest.schema_revision):
            raise BackupError(
                f"The backup has schema {manifest.schema_revision}, which this version of majlis "
                f"does not support. Install the version that wrote it, {manifest.majlis}."
            )
        # Each part takes its place when the stack closes, the last one first.
        parts.enter_context(_database(archive, file, places.database_url, overwrite))
        for name, path in places.keys.items():
            if KEYS + name in manifest.members:
                parts.enter_context(_key(archive, KEYS + name, path, overwrite))
        if places.content and manifest.names(CONTENT):
            parts.enter_context(_content(archive, places.content))
        return manifest


def _database(
    archive: Archive, file: Path, url: str, overwrite: bool
) -> AbstractContextManager[None]:
    """Replace a database when the block ends."""
    database = sqlite_file(url)
    held, wanted = archive.manifest.database, "sqlite" if database else "postgresql"
    if held != wanted:
        raise BackupError(
            f"The backup holds a database of {_PRODUCTS[held]}, which cannot be restored into "
            f"{_PRODUCTS[wanted]}. Name a database of {_PRODUCTS[held]}."
        )
    if database:
        return _sqlite(archive, file, database.absolute(), overwrite)
    return _postgresql(archive, url, overwrite)


@contextmanager
def _sqlite(archive: Archive, file: Path, database: Path, overwrite: bool) -> Iterator[None]:
    with backup.replaced_database(database, overwrite=overwrite) as copy:
        with copy.open("wb") as target:
            archive.extract(DATABASE, target)
        if backup.check_revision(copy, file) != archive.manifest.schema_revision:
            raise BackupError(f"{file} is damaged: its schema is not the one of its manifest.")
        yield


@contextmanager
def _postgresql(archive: Archive, url: str, overwrite: bool) -> Iterator[None]:
    programs = PostgresqlPrograms(url)
    programs.require_idle()
    if not overwrite:
        programs.require_empty()
    with TemporaryDirectory(prefix="majlis-restore-") as folder:
        dump = Path(folder, DATABASE)
        with dump.open("wb") as target:
            archive.extract(DATABASE, target)
        with programs.loading(dump):
            yield


@contextmanager
def _key(archive: Archive, name: str, path: Path, overwrite: bool) -> Iterator[None]:
    """Replace the file of a key when the block ends, unless it has that key already."""
    key = io.BytesIO()
    archive.extract(name, key)
    if path.is_file() and path.read_bytes() == key.getvalue():
        yield
        return
    backup.require_absent(path, overwrite)
    path.parent.mkdir(parents=True, exist_ok=True)
    with backup.replacement(path, overwrite=overwrite) as copy:
        copy.write_bytes(key.getvalue())
        backup.keep_owner(path, copy)
        yield


@contextmanager
def _content(archive: Archive, folder: Path) -> Iterator[None]:
    """Create the content folder when the block ends; one with files is never replaced."""
    folder = folder.resolve()
    if folder.exists() and any(folder.iterdir()):
        raise BackupError(f"{folder} is not empty. Move it away, or leave it with --no-content.")
    written = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}")
    written.mkdir(parents=True)
    try:
        for name in archive.manifest.names(CONTENT):
            path = written / name.removeprefix(CONTENT)
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as target:
                archive.extract(name, target)
            backup.sync(path)
        yield
        written.rename(folder)
    finally:
        shutil.rmtree(written, ignore_errors=True)
    backup.sync(folder.parent)
