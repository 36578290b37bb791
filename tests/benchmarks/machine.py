"""The machine: which core serves and which one asks."""

from __future__ import annotations

import os
import platform

_CORES = sorted(os.sched_getaffinity(0))
SERVER_CORE, LOAD_CORE = _CORES[0], _CORES[-1]
"""Apart where there is more than one."""


def described() -> str:
    """One line on what the figures were taken with."""
    python = platform.python_version()
    return f"{len(_CORES)} cores, {platform.system()} {platform.machine()}, Python {python}"
