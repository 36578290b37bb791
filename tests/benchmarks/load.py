"""The load: wrk on a core of its own, which asks faster than any of the servers can answer."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from benchmarks.machine import LOAD_CORE

CONNECTIONS = 16
SECONDS = 1
_SCRIPT = Path(__file__).with_name("clients.lua")
_RATE = re.compile(r"Requests/sec:\s+([\d.]+)")
_SLOWEST_PERCENT = re.compile(r"\n\s+99%\s+([\d.]+)(us|ms|s)\n")
_MILLISECONDS = {"us": 0.001, "ms": 1.0, "s": 1_000.0}


@dataclass(frozen=True, slots=True)
class Load:
    """What one run of wrk saw."""

    per_second: float
    p99_ms: float


def load(port: int, path: str, accept: str, seconds: int = SECONDS) -> Load:
    """Ask for one path on keep-alive connections; raises where an answer is not a 200."""
    command = ["taskset", "-c", str(LOAD_CORE), wrk(), "--latency", "-t1", f"-c{CONNECTIONS}"]
    command += [f"-d{seconds}s", "-s", str(_SCRIPT), "-H", f"Accept: {accept}"]
    command += [f"http://127.0.0.1:{port}{path}"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in told or "Socket errors" in told:
        raise RuntimeError(told)
    rate, slowest = _RATE.search(told), _SLOWEST_PERCENT.search(told)
    if rate is None or slowest is None:
        raise RuntimeError(told)
    return Load(float(rate[1]), float(slowest[1]) * _MILLISECONDS[slowest[2]])


def wrk() -> str:
    """Where wrk is; Python could not ask fast enough."""
    found = shutil.which("wrk")
    if found is None:
        raise SystemExit("The benchmarks need wrk: apt-get install wrk")
    return found
