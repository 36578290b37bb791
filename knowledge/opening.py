"""Opening files of the content folder: by a path below it, and never a file outside it.

A name can turn into a symbolic link between a check and an `open` of the whole path. Each part
of a path is therefore opened relative to the descriptor of its folder, and no link is followed.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from knowledge.diagnostics import ContentFileError, Diagnostic

_PATH_ONLY = getattr(os, "O_PATH", os.O_RDONLY)
_ROOT = _PATH_ONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FOLDER = _ROOT | os.O_NOFOLLOW
# O_NONBLOCK: opening a FIFO must not wait for a writer.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


def open_beneath(root: Path, path: str) -> int:
    """A descriptor of the regular file at a path relative to `root`; the caller closes it.

    `root` itself may be a link to a release. A file may be a link to another file below `root`.
    Raises OSError where it cannot be opened, and ContentFileError where it leads out or is no file.
    """
    steps = _path_sort_key(path)
    try:
        descriptor = _open(root, steps)
    except OSError as error:
        if error.errno != errno.ELOOP:
            raise
        descriptor = _open(root, _linked(root, path))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise ContentFileError(Diagnostic(path, "This is not a regular file.", "Remove it."))
    return descriptor


def unreadable(path: str, error: OSError) -> Diagnostic:
    """The fault of a file that the operating system does not let us read."""
    reason = (error.strerror or type(error).__name__).lower()
    return Diagnostic(
        path, f"The file cannot be read: {reason}.", "Check its permissions and type."
    )


def _path_sort_key(path: str) -> Sequence[str]:
    steps = path.split("/")
    if not {"", ".", ".."}.isdisjoint(steps):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    return steps


def _linked(root: Path, path: str) -> Sequence[str]:
    """The parts of the path, below the root and free of links, that a link leads to.

    Whatever becomes of the link meanwhile, these parts are opened below the root again.
    """
    target = PurePosixPath(os.path.realpath(root / path))
    try:
        return _path_sort_key(str(target.relative_to(os.path.realpath(root))))
    except ValueError:
        diagnostic = Diagnostic(path, "It leads out of the content folder.", "Remove the link.")
        raise ContentFileError(diagnostic) from None


def _open(root: Path, steps: Sequence[str]) -> int:
    folder = os.open(root, _ROOT)
    try:
        for step in steps[:-1]:
            inner = os.open(step, _FOLDER, dir_fd=folder)
            folder, outer = inner, folder
            os.close(outer)
        return os.open(steps[-1], _FILE, dir_fd=folder)
    finally:
        os.close(folder)
