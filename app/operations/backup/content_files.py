"""The files of the content folder that a backup holds: all but hidden ones, and links out of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from app.operations.backup.archive import is_member
from app.operations.backup.manifest import CONTENT
from knowledge.diagnostics.diagnostic import ContentFileError
from knowledge.documents.opening import open_beneath


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
