"""Opening of files in the content folder, and never of files outside it.

A name can be replaced by a symbolic link between a check and the `open` of a path. Each part of a
path is therefore opened relative to the descriptor of its folder, without following links.
"""

import errno
import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath

from knowledge.diagnostics.diagnostic import ContentFileError, Diagnostic, DiagnosticKind
from knowledge.diagnostics.messages import Text


def open_beneath(root: Path, path: str) -> int:
    """Open the regular file at a path relative to `root`; the caller closes the descriptor.

    `root` may be a link to a release. A file may be a link to another file below `root`.
    Raises OSError if the file cannot be opened, and ContentFileError if it is outside `root` or
    not a regular file.
    """
    parts = _split_path(path)
    try:
        descriptor = _open(root, parts)
    except OSError as error:
        if error.errno != errno.ELOOP:
            raise
        descriptor = _open(root, _link_target(root, path))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise ContentFileError(
            DiagnosticKind.UNREADABLE_FILE.error(
                path, Text("The path is not a regular file."), Text("Remove it.")
            )
        )
    return descriptor


def unreadable(path: str, error: OSError) -> Diagnostic:
    """Return the diagnostic of a file that raised OSError when it was read."""
    message = Text("The file cannot be read: {}.", (error.strerror or type(error).__name__).lower())
    return DiagnosticKind.UNREADABLE_FILE.error(
        path, message, Text("Check its permissions and type.")
    )


def _split_path(path: str) -> Sequence[str]:
    parts = path.split("/")
    if not {"", ".", ".."}.isdisjoint(parts):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    return parts


def _link_target(root: Path, path: str) -> Sequence[str]:
    """Return the parts of the resolved target of a link, relative to the root.

    The parts are then opened below the root again, so a later change of the link does no harm.
    """
    target = PurePosixPath(os.path.realpath(root / path))
    with suppress(ValueError):
        parts = _split_path(str(target.relative_to(os.path.realpath(root))))
        if not any(part.startswith(".") for part in parts):  # `.git` tells paths of the machine
            return parts
    message = Text(
        "The file is a symbolic link to a file that is hidden, or outside the content folder."
    )
    raise ContentFileError(
        DiagnosticKind.INVALID_SYMLINK.error(path, message, Text("Remove the link."))
    )


_PATH_ONLY = getattr(os, "O_PATH", os.O_RDONLY)
_ROOT = _PATH_ONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FOLDER = _ROOT | os.O_NOFOLLOW
# O_NONBLOCK: opening a FIFO must not wait for a writer.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


def _open(root: Path, parts: Sequence[str]) -> int:
    folder = os.open(root, _ROOT)
    try:
        for part in parts[:-1]:
            inner = os.open(part, _FOLDER, dir_fd=folder)
            folder, outer = inner, folder
            os.close(outer)
        return os.open(parts[-1], _FILE, dir_fd=folder)
    finally:
        os.close(folder)
