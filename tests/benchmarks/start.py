"""Starts of the service: cold, and warm with parsed files and indexes on disk."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from benchmarks import servers
from benchmarks.corpus import write_posts
from benchmarks.figures import Figure

from knowledge.documents.parsed_files import RACY_NS

METHOD = (
    "`majlis serve --workers N` on posts of about 3.5 kB: the CPU time of all processes, and their "
    "memory (PSS, in which shared pages count once). The first start, with one worker, finds "
    "neither parsed files nor indexes, and counts up to the first page, without the indexes made "
    "after it. The others find both on disk; they count up to the first page, and until all "
    "workers wait for requests. “One process” is `majlis serve`, which needs no supervisor. "
    "All find the bytecode of the service, as where it is installed. The ratio of CPU time is to "
    "2.5 s up to the first page of one process, which is the goal for 50,000 documents; that of "
    "memory is to one worker."
)
_PATH = "/en/blog"
_GOAL_SECONDS = 2.5
_MEMORY_GOAL = 1.6
_INDEXED_SECONDS = 900.0


class _Cost(NamedTuple):
    first_page_seconds: float
    idle_seconds: float
    pss_bytes: int


def measure(count: int) -> Iterator[Figure]:
    """Measure starts with `count` posts."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_posts(folder / "content", count)
        _compile(folder)
        time.sleep(RACY_NS / 1e9)  # younger files are parsed at each start
        cold = _start(folder, 1, is_first=True)
        alone, one, four = (_start(folder, workers) for workers in (None, 1, 4))
    subject = f"{count:,} documents"
    yield _cpu(subject, "cold, 1 worker: first page", cold.first_page_seconds, None)
    yield _cpu(subject, "warm, one process: first page", alone.first_page_seconds, 1.0)
    yield _cpu(subject, "warm, 1 worker: first page", one.first_page_seconds, None)
    yield _cpu(subject, "warm, 1 worker: until idle", one.idle_seconds, None)
    yield _cpu(subject, "warm, 4 workers: until idle", four.idle_seconds, None)
    yield _memory(subject, "warm, 1 worker", one, one, None)
    yield _memory(subject, "warm, 4 workers", four, one, _MEMORY_GOAL)


def _cpu(subject: str, what: str, seconds: float, at_most: float | None) -> Figure:
    return Figure(subject, what, seconds, "s", seconds / _GOAL_SECONDS, at_most=at_most)


def _memory(subject: str, what: str, cost: _Cost, one: _Cost, at_most: float | None) -> Figure:
    ratio = cost.pss_bytes / one.pss_bytes
    megabytes = cost.pss_bytes / 1e6
    return Figure(subject, f"{what}: memory", megabytes, "MB", ratio, at_most=at_most)


def _bytecode(folder: Path) -> Mapping[str, str]:
    return {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}


def _compile(folder: Path) -> None:
    """Write the bytecode of what a start imports."""
    command = (sys.executable, "-c", "import app.operations.cli.serve, app.server.process")
    subprocess.run(command, env={**os.environ, **_bytecode(folder)}, check=True)


def _start(folder: Path, workers: int | None, *, is_first: bool = False) -> _Cost:
    variables = {**variables_in(folder), **_bytecode(folder)}
    server = servers.majlis(*(("--workers", str(workers)) if workers else ()))
    with servers.running_process(server, _PATH, variables, core=None) as (_, process):
        first_page_seconds = _family_seconds(process)
        if is_first:
            wait_for_disk(folder)
        else:
            wait_for_workers(process, workers or 1)
        pss_bytes = sum(map(_pss_bytes, _family(process)))
        return _Cost(first_page_seconds, _family_seconds(process), pss_bytes)


def variables_in(folder: Path) -> Mapping[str, str]:
    """Return the settings of a service that has all its files in a folder."""
    return {
        "CONTENT_DIR": str(folder / "content"),
        "INDEX_DIR": str(folder / "index"),
        "CACHE_DIR": str(folder / "cache"),
        "IMAGE_DIR": str(folder / "images"),
        "DATABASE_URL": f"sqlite:///{folder}/majlis.db",
    }


def wait_for_workers(process: int, workers: int) -> None:
    """Wait until all workers wait for requests: none of them uses the CPU any more."""
    until, before = time.monotonic() + _INDEXED_SECONDS, -1.0
    while time.monotonic() < until:
        now = _family_seconds(process)
        if len(_family(process)) >= workers and now - before < 0.05 * workers:
            return
        before = now
        time.sleep(0.5)
    raise RuntimeError("The workers did not become idle")


def wait_for_disk(folder: Path) -> None:
    """Wait until parsed files and indexes are on the disk."""
    until = time.monotonic() + _INDEXED_SECONDS
    patterns = ("cache/*.parsed", "index/*/manifest.json", "index/posts/*/manifest.json")
    while not all(any(folder.glob(pattern)) for pattern in patterns):
        if time.monotonic() > until:
            raise RuntimeError("The indexes were not made")
        time.sleep(0.5)


def _family_seconds(process: int) -> float:
    return sum(map(_cpu_seconds, _family(process)))


def _family(process: int) -> list[int]:
    """Return a process and all that it started."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()
    return [process, *(each for child in children for each in _family(int(child)))]


def _cpu_seconds(process: int) -> float:
    """Return the CPU time of a process, and of those that it started and that have ended."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _pss_bytes(process: int) -> int:
    rollup = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii")
    (line,) = (line for line in rollup.splitlines() if line.startswith("Pss:"))
    return int(line.split()[1]) * 1_024
