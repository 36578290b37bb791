"""The processes of a server: which workers it has, and what each has of the machine."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

from live.server import Server

_HEAP_BYTES = 64 * 1024 * 1024
_UNUSED = re.compile(r"^[0-9a-f]+-([0-9a-f]+) ---p \S+ 00:00 0 *$", re.MULTILINE)
_OPEN = re.compile(r"Worker (\d+) is ready")


def opened(server: Server) -> list[int]:
    """Workers by process id, all that were ever open."""
    return [int(pid) for pid in _OPEN.findall(server.log.read_text())]


def is_alive(pid: int) -> bool:
    """Whether a process is there, and no mere remains of one."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def living(server: Server) -> list[int]:
    """Workers that are there now."""
    return [pid for pid in opened(server) if is_alive(pid)]


def resident_bytes(pid: int) -> int:
    """Memory that a process has of the machine."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(status.partition("VmRSS:")[2].split()[0]) * 1_024


def thread_heaps(pid: int) -> int:
    """Heaps that threads of a process have of their own, as glibc makes them.

    Each is a range of 64 MB that begins and ends at a multiple of that, its end not yet in use.
    """
    maps = Path(f"/proc/{pid}/maps").read_text(encoding="utf-8")
    return sum(int(end, 16) % _HEAP_BYTES == 0 for end in _UNUSED.findall(maps))


def open_files(pid: int) -> int:
    """Descriptors that a process has open: files, sockets and pipes."""
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def children(pid: int) -> list[int]:
    """The processes that a process has started and that are there: a supervisor's workers."""
    told = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    return [int(each) for each in told.split()]


def cpu_seconds(pid: int) -> float:
    """Time that a process has used of processors, its own and the system's for it."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def paths_held_open(pid: int) -> list[str]:
    """The files that a process holds open, by their paths."""
    found = []
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):
            found.append(str(descriptor.readlink()))
    return found
