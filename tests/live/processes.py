"""The processes of a server: its workers, and their resources."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

from live.server import Server

_HEAP_BYTES = 64 * 1024 * 1024
_UNUSED = re.compile(r"^[0-9a-f]+-([0-9a-f]+) ---p \S+ 00:00 0 *$", re.MULTILINE)
_LISTENING = "0A"
_READY = re.compile(r"Worker (\d+) is ready")


def opened(server: Server) -> list[int]:
    """Return the process IDs of all workers that have ever been ready."""
    return [int(pid) for pid in _READY.findall(server.log.read_text())]


def is_alive(pid: int) -> bool:
    """Return whether a process exists and is not a zombie."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def living(server: Server) -> list[int]:
    """Return the process IDs of the workers that are running."""
    return [pid for pid in opened(server) if is_alive(pid)]


def resident_bytes(pid: int) -> int:
    """Return the resident memory of a process in bytes."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(status.partition("VmRSS:")[2].split()[0]) * 1_024


def memory_bytes(pid: int, kind: str) -> int:
    """Return the memory of a process of one kind of `smaps_rollup`, such as `Pss`, in bytes."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    return int(rollup.partition(f"\n{kind}:")[2].split()[0]) * 1_024


def thread_heaps(pid: int) -> int:
    """Count the malloc arenas of threads, beside the main one, as glibc creates them.

    Each is a range of 64 MB, aligned to that size, of which the end is not in use yet.
    """
    maps = Path(f"/proc/{pid}/maps").read_text(encoding="utf-8")
    return sum(int(end, 16) % _HEAP_BYTES == 0 for end in _UNUSED.findall(maps))


def waiting_connections(port: int) -> int:
    """Return how many connections wait to be accepted on a port, by IPv4."""
    sockets = (line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:])
    queues = (
        queues.partition(":")[2]
        for _, local, _, state, queues, *_ in sockets
        if state == _LISTENING and int(local.partition(":")[2], 16) == port
    )
    return sum(int(queue, 16) for queue in queues)


def open_files(pid: int) -> int:
    """Return the number of open descriptors of a process: files, sockets and pipes."""
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def children(pid: int) -> list[int]:
    """Return the running child processes of a process, such as a supervisor's workers."""
    pids = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    return [int(child) for child in pids.split()]


def cpu_seconds(pid: int) -> float:
    """Return the processor time of a process, in user and system mode."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def bytes_read(pid: int) -> int:
    """Return how many bytes a process has read, from files, caches and connections."""
    counters = Path(f"/proc/{pid}/io").read_text(encoding="ascii")
    return int(counters.split()[1])


def paths_held_open(pid: int) -> list[str]:
    """Return the paths of the files that a process has open."""
    paths = []
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):
            paths.append(str(descriptor.readlink()))
    return paths
