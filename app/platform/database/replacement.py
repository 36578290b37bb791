"""A file that replaces another one in one step, when it is complete and on the disk."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.platform.database.errors import BackupError

JOURNALS = ("-wal", "-shm", "-journal")
"""What SQLite adds to the name of a database, for the files that it keeps beside it."""


@contextmanager
def replacement(target: Path, *, overwrite: bool) -> Iterator[Path]:
    """Create a temporary file that only its owner can read; it replaces the target on success."""
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        yield temporary
        sync(temporary)
        _rename(temporary, target, overwrite)
    finally:
        for suffix in ("", *JOURNALS):
            Path(f"{temporary}{suffix}").unlink(missing_ok=True)
    sync(target.parent)


def remove_leftovers(target: Path) -> None:
    """Remove the temporary files of replacements that were killed; none may be in progress."""
    for left in target.parent.glob(f".{target.name}.{'[0-9a-f]' * 8}*"):
        left.unlink(missing_ok=True)


def require_absent(target: Path, overwrite: bool) -> None:
    """Raise BackupError if a file exists that must not be replaced."""
    if target.exists() and not overwrite:
        raise BackupError(f"{target} already exists. Add --force to replace it.")


def _rename(new: Path, target: Path, overwrite: bool) -> None:
    """Rename a file; without `overwrite`, raises BackupError if the target exists by now."""
    if overwrite:
        new.replace(target)
        return
    try:
        target.hardlink_to(new)
    except FileExistsError:
        require_absent(target, overwrite)
    except OSError:  # the file system does not support hard links
        new.replace(target)


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def keep_owner(target: Path, *paths: Path) -> None:
    """If run as root, give the files to the owner of the target or of its folder."""
    if os.geteuid() == 0:
        status = (target if target.exists() else target.parent).stat()
        for path in paths:
            os.chown(path, status.st_uid, status.st_gid)
