"""Where and when a measurement is made: the machine, the commit and the day."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path

_CORES = sorted(os.sched_getaffinity(0))
SERVER_CORE, LOAD_CORE = _CORES[0], _CORES[-1]
"""Different cores if the machine has more than one."""


def described() -> str:
    """Describe the machine in one line."""
    python = platform.python_version()
    return f"{len(_CORES)} cores, {platform.system()} {platform.machine()}, Python {python}"


def commit() -> str:
    """Return the short name of the commit that is checked out, with `+` if files differ from it.

    The records do not count: writing one is no other code.
    """
    return _git("rev-parse", "--short=10", "HEAD") + ("+" if _git(*_CHANGES) else "")


def today() -> str:
    """Return the day in UTC, in ISO format."""
    return f"{datetime.now(UTC):%Y-%m-%d}"


_CHANGES = ("status", "--porcelain", "--untracked-files=no", "--", ":/", ":!/docs/records")


def _git(*arguments: str) -> str:
    command = ("git", "-C", str(Path(__file__).parent), *arguments)
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout.strip()
