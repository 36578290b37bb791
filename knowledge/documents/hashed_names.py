"""Hashed names: paths of files with a hash of their bytes, which caches may keep forever."""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

_DIGITS = 24
_HEXADECIMAL = frozenset("0123456789abcdef")


class NamedFile(NamedTuple):
    """A file of the content folder, and the hash in the name by which it was asked for."""

    path: str
    digest: str | None = None


def hashed_name(path: str, digest: str) -> str:
    """Return the path of a file with a hash of its bytes.

    >>> hashed_name("images/a.b.png", "0123456789abcdef01234567")
    'images/a.b.0123456789abcdef01234567.png'
    """
    stem, dot, suffix = path.rpartition(".")
    return f"{stem}.{digest}{dot}{suffix}"


def find_file(files: Container[str], name: str) -> NamedFile | None:
    """Return the file that a path names, with a hash or without, or None.

    >>> find_file({"images/a.png"}, "images/a.0123456789abcdef01234567.png").path
    'images/a.png'
    """
    if name in files:
        return NamedFile(name)
    stem, dot, suffix = name.rpartition(".")
    start, _, digest = stem.rpartition(".")
    path = f"{start}{dot}{suffix}"
    is_hash = len(digest) == _DIGITS and _HEXADECIMAL.issuperset(digest)
    return NamedFile(path, digest) if is_hash and path in files else None
