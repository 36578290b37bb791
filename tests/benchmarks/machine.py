"""The machine: which core runs the server and which one the load."""

from __future__ import annotations

import os
import platform

_CORES = sorted(os.sched_getaffinity(0))
SERVER_CORE, LOAD_CORE = _CORES[0], _CORES[-1]
"""Different cores if the machine has more than one."""


def described() -> str:
    """Describe the machine in one line."""
    python = platform.python_version()
    return f"{len(_CORES)} cores, {platform.system()} {platform.machine()}, Python {python}"
