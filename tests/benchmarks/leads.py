"""Leads: what is acknowledged in a second, against single commits on the same disk."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

from benchmarks import servers
from benchmarks.figures import Figure
from benchmarks.load import CONNECTIONS, wrk
from benchmarks.machine import LOAD_CORE
from live.processes import children, cpu_seconds

METHOD = (
    f"wrk sends leads to the API over {CONNECTIONS} connections, each another lead of another "
    "client, to one process and to four on all cores, with the load on one of them; three rounds, "
    "the best counts. Every lead is assessed, and answered once it is on disk. The baseline of "
    "the rate is one program that commits single rows with sqlite3 in the same folder, alone, "
    "with the same durability: it measures the disk. That of the 99th percentile is 240 ms; that "
    "of the CPU time of a lead, with everything that the server does, is 4.3 ms, which it took "
    "before leads were committed in groups."
)
_PATH = "/api/public/v1/leads"
_READY = "/api/public/v1/blog/homepage"
_SECONDS = 4
_ROUNDS = 3
_SETTLE_SECONDS = 1
_P99_MS, _BEFORE_MS = 240, 4.3
_SCRIPT = Path(__file__).with_name("leads.lua")
_RESULT = re.compile(r"^Leads: (\d+) (\d+) (\d+) (\d+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Run:
    """The result of one run: leads a second, answers that are no 200, and what a lead costs."""

    per_second: float
    failed: int
    p99_ms: float
    cpu_ms: float


def measure() -> Iterator[Figure]:
    """Measure with one process and with four."""
    with tempfile.TemporaryDirectory() as folder:
        commits = max(_single_commits(Path(folder, "single.db")) for _ in range(_ROUNDS))
    yield Figure("single commits", "sqlite3", commits, "commits/s", 1)
    for workers in (1, 4):
        runs = _runs(workers)
        best = max(runs, key=lambda run: run.per_second)
        rate, failed = best.per_second, sum(run.failed for run in runs)
        p99, cpu = min(run.p99_ms for run in runs), min(run.cpu_ms for run in runs)
        subject = f"{workers} process{'es' * (workers > 1)}"
        yield Figure(subject, "acknowledged leads", rate, "leads/s", rate / commits, at_least=1.05)
        yield Figure(subject, "not acknowledged", failed, "leads", failed, at_most=0)
        yield Figure(subject, "99th percentile", p99, "ms", p99 / _P99_MS, at_most=1)
        yield Figure(subject, "CPU time of a lead", cpu, "ms", cpu / _BEFORE_MS, at_most=0.37)


def _single_commits(file: Path) -> float:
    """Return how many rows one connection commits in a second, each on its own."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE IF NOT EXISTS leads (id INTEGER PRIMARY KEY, text TEXT)")
        number, until = 0, monotonic() + 1
        while monotonic() < until:
            connection.execute("INSERT INTO leads (text) VALUES (?)", ("x" * 300,))
            number += 1
    return number


def _runs(workers: int) -> list[Run]:
    with tempfile.TemporaryDirectory() as folder:
        variables = {
            "DATABASE_URL": f"sqlite:///{folder}/majlis.db",
            "INDEX_DIR": f"{folder}/index",
            "LEADS_KEY_FILE": f"{folder}/leads.key",
        }
        server = servers.majlis("--workers", str(workers))
        with servers.running_process(server, _READY, variables, core=None) as (port, process):
            sleep(_SETTLE_SECONDS)
            return [_run(port, process) for _ in range(_ROUNDS)]


def _run(port: int, process: int) -> Run:
    before = _cpu(process)
    command = ["taskset", "-c", str(LOAD_CORE), wrk(), "-t1", f"-c{CONNECTIONS}"]
    command += [f"-d{_SECONDS}s", "-s", str(_SCRIPT), f"http://127.0.0.1:{port}{_PATH}"]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    result = _RESULT.search(output)
    if result is None:
        raise RuntimeError(output)
    sent, failed, microseconds, p99 = map(int, result.groups())
    stored = max(sent - failed, 1)
    cpu = (_cpu(process) - before) * 1_000 / stored
    return Run(stored / microseconds * 1e6, failed, p99 / 1_000, cpu)


def _cpu(process: int) -> float:
    """Return the CPU seconds of a server and its workers."""
    return sum(map(cpu_seconds, (process, *children(process))))
