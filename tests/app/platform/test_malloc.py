"""The allocator: what long work has freed goes back to the system."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

_SCRIPT = """
from pathlib import Path
from app.platform.memory import limit_malloc_arenas, return_free_memory

def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4_096

limit_malloc_arenas()
kept = []
for _ in range(2_000):
    kept += bytearray(30_000), bytearray(1_000)
del kept[::2]  # what is left between the holes keeps the allocator from giving them back
before = resident()
return_free_memory()
print(before - resident())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries return it alone")
def test_free_memory_between_what_is_in_use_is_returned() -> None:
    """In whole pages: those of small holes stay."""
    command = [sys.executable, "-c", _SCRIPT]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout) > 2_000 * 30_000 / 2
