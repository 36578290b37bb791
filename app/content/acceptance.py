"""Acceptance: a file in the content folder that says which deletion an operator has meant.

The command `majlis content accept` writes it, and every process that serves the folder reads it.
No process needs to know another one, on this machine or on others.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

ACCEPTANCE_FILE = ".majlis-accepted"
"""A hidden name, which is never published."""

_FINGERPRINT_LENGTH = 64


class Acceptance(NamedTuple):
    """The documents that were accepted, and when."""

    fingerprint: str
    written_ns: int


def fingerprint(documents: Iterable[str]) -> str:
    """What identifies a set of documents: a hash of their paths.

    An edit of one of them does not change it.

    >>> fingerprint(["a.md", "b.md"]) == fingerprint(["b.md", "a.md"]) != fingerprint(["a.md"])
    True
    """
    return hashlib.sha256("\n".join(sorted(documents)).encode()).hexdigest()


def write_acceptance(root: Path, documents: Iterable[str]) -> None:
    """Accept that the folder holds these documents; raises OSError where it cannot be written."""
    folder = root.resolve(strict=True)
    beside = folder / f"{ACCEPTANCE_FILE}.new"
    beside.write_text(f"{fingerprint(documents)}\n", encoding="ascii")
    beside.replace(folder / ACCEPTANCE_FILE)


def read_acceptance(root: Path) -> Acceptance | None:
    """The newest acceptance, None where there is none or it cannot be read."""
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
