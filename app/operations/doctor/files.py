"""Facts of folders: whether the service may read and write them, and the space that is left."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from app.features import features
from app.features.key_files import key_files, variable
from app.operations.doctor.facts import FolderFacts
from app.platform.database.url import sqlite_file
from app.settings import Settings


def folders_of(settings: Settings) -> Iterator[tuple[str, Path]]:
    """Yield the folders that the service needs, by the settings that name them."""
    yield "CONTENT_DIR", settings.content_dir
    yield "INDEX_DIR", settings.index_dir
    yield "CACHE_DIR", settings.cache_dir
    for feature in features():
        for name in feature.folders:
            yield name.upper(), getattr(settings, name)
    for name, key in key_files(settings).items():
        yield variable(name), key.parent
    if settings.access_log != "off" and settings.access_log_file is not None:
        yield "ACCESS_LOG_FILE", settings.access_log_file.parent
    file = sqlite_file(settings.database_url)
    if file is not None:
        yield "DATABASE_URL", file.parent


def folder_facts(variable: str, path: Path) -> FolderFacts:
    """Return the facts of a folder; it changes nothing, so it asks the system for the rights."""
    folder = path.absolute()
    existing = next(each for each in (folder, *folder.parents) if os.access(each, os.F_OK))
    usage, files = shutil.disk_usage(existing), os.statvfs(existing)
    return FolderFacts(
        variable=variable,
        path=path,
        exists=existing == folder and folder.is_dir(),
        readable=os.access(folder, os.R_OK | os.X_OK),
        writable=os.access(folder, os.W_OK | os.X_OK),
        may_create=existing.is_dir() and os.access(existing, os.W_OK | os.X_OK),
        owner=existing.stat().st_uid,
        device=existing.stat().st_dev,
        free_bytes=usage.free,
        total_bytes=usage.total,
        free_files=files.f_favail,
        total_files=files.f_files,
    )
