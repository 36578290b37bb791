"""Acceptance: a file in the content folder with which an operator confirms a mass deletion.

The command `majlis content accept` writes it, and every process that serves the folder reads it.
This also works across machines, without communication between processes.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

ACCEPTANCE_FILE = ".majlis-accepted"
"""A hidden file name, so that the file is never published."""

_FINGERPRINT_LENGTH = 64


class Acceptance(NamedTuple):
    """The accepted set of documents, and when it was accepted."""

    fingerprint: str
    written_ns: int


def fingerprint(documents: Iterable[str]) -> str:
    """Return a hash of the documents' paths. Edits of documents do not change it.

    >>> fingerprint(["a.md", "b.md"]) == fingerprint(["b.md", "a.md"]) != fingerprint(["a.md"])
    True
    """
    return hashlib.sha256("\n".join(sorted(documents)).encode()).hexdigest()


def write_acceptance(root: Path, documents: Iterable[str]) -> None:
    """Accept these documents as the complete content; raises OSError if the write fails."""
    folder = root.resolve(strict=True)
    temporary = folder / f"{ACCEPTANCE_FILE}.new"
    temporary.write_text(f"{fingerprint(documents)}\n", encoding="ascii")
    temporary.replace(folder / ACCEPTANCE_FILE)


def read_acceptance(root: Path) -> Acceptance | None:
    """Return the newest acceptance, or None if there is none or it cannot be read."""
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        descriptor = os.open(root / ACCEPTANCE_FILE, flags)
    except OSError:
        return None
    try:
        text = os.read(descriptor, _FINGERPRINT_LENGTH).decode("ascii", "replace")
        return Acceptance(text, os.fstat(descriptor).st_mtime_ns)
    except OSError:
        return None
    finally:
        os.close(descriptor)
