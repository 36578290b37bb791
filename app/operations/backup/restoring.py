"""Restoring a backup: each part is written beside its place, and replaces it when all are whole."""

from __future__ import annotations

import io
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from app.operations.backup.archive import CONTENT, DATABASE, KEYS, Archive, Manifest, reading
from app.operations.backup.postgresql import PostgresqlPrograms
from app.platform.database import schema
from app.platform.database.backup import (
    check_revision,
    keep_owner,
    replaced_database,
    replacement,
    require_absent,
    sync,
)
from app.platform.database.errors import BackupError
from app.platform.database.url import sqlite_file

_PRODUCTS = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


@dataclass(frozen=True)
class Places:
    """Where the parts of a backup are restored to; a part without a place is left in the backup."""

    database_url: str
    keys: Mapping[str, Path]
    content: Path | None


def read_manifest(file: Path) -> Manifest:
    """Return what a backup holds; raises BackupError and OSError."""
    with reading(file) as archive:
        return archive.manifest


def restore_backup(file: Path, places: Places, *, overwrite: bool) -> Manifest:
    """Restore the parts that have a place, the database last, and return what the backup holds.

    Raises BackupError, OSError or sqlite3.Error, and then leaves everything unchanged.
    """
    with reading(file) as archive, ExitStack() as parts:
        _require_known_schema(archive.manifest)
        # Each part takes its place when the stack closes, the last one first.
        parts.enter_context(_database(archive, file, places.database_url, overwrite))
        for name, path in places.keys.items():
            if KEYS + name in archive.manifest.members:
                parts.enter_context(_key(archive, KEYS + name, path, overwrite))
        if places.content and archive.manifest.names(CONTENT):
            parts.enter_context(_content(archive, places.content))
        return archive.manifest


def _require_known_schema(manifest: Manifest) -> None:
    if manifest.schema_revision not in schema.known_revisions():
        raise BackupError(
            f"The backup has schema {manifest.schema_revision}, which this version of majlis does "
            f"not support. Install the version that wrote it, {manifest.majlis}."
        )


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
    with replaced_database(database, overwrite=overwrite) as copy:
        with copy.open("wb") as target:
            archive.extract(DATABASE, target)
        if check_revision(copy, file) != archive.manifest.schema_revision:
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
    require_absent(path, overwrite)
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacement(path, overwrite=overwrite) as copy:
        copy.write_bytes(key.getvalue())
        keep_owner(path, copy)
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
            _write(archive, name, written / name.removeprefix(CONTENT))
        yield
        written.rename(folder)
    finally:
        shutil.rmtree(written, ignore_errors=True)
    sync(folder.parent)


def _write(archive: Archive, name: str, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as target:
        archive.extract(name, target)
    sync(path)
