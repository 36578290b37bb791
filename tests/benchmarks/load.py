"""The load: wrk on its own core, which sends more requests than any server can answer."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from benchmarks.machine import LOAD_CORE

CONNECTIONS = 16
SECONDS = 1
_SCRIPT = Path(__file__).with_name("clients.lua")
_PAGES_SCRIPT = Path(__file__).with_name("pages.lua")
_COUNT = re.compile(r"(\d+) requests in ")
_RATE = re.compile(r"Requests/sec:\s+([\d.]+)")
_SLOWEST_PERCENT = re.compile(r"\n\s+99%\s+([\d.]+)(us|ms|s)\n")
_MILLISECONDS = {"us": 0.001, "ms": 1.0, "s": 1_000.0}


@dataclass(frozen=True, slots=True)
class Load:
    """The result of one run of wrk."""

    count: int
    per_second: float
    p99_ms: float


def load(port: int, path: str, accept: str, seconds: int = SECONDS, pages: int = 0) -> Load:
    """Load one path over keep-alive connections; raise if a response is not a 200.

    With `pages`, so many paths in turn: the path followed by a number.
    """
    script = _PAGES_SCRIPT if pages else _SCRIPT
    command = ["taskset", "-c", str(LOAD_CORE), wrk(), "--latency", "-t1", f"-c{CONNECTIONS}"]
    command += [f"-d{seconds}s", "-s", str(script), "-H", f"Accept: {accept}"]
    command += [f"http://127.0.0.1:{port}{path}"]
    variables = {**os.environ, "PAGES": str(pages)}
    output = subprocess.run(
        command, capture_output=True, text=True, check=True, env=variables
    ).stdout
    if "Non-2xx" in output or "Socket errors" in output:
        raise RuntimeError(output)
    count, rate, slowest = (
        _COUNT.search(output),
        _RATE.search(output),
        _SLOWEST_PERCENT.search(output),
    )
    if count is None or rate is None or slowest is None:
        raise RuntimeError(output)
    return Load(int(count[1]), float(rate[1]), float(slowest[1]) * _MILLISECONDS[slowest[2]])


def wrk() -> str:
    """Return the path of wrk; Python cannot send requests fast enough."""
    path = shutil.which("wrk")
    if path is None:
        raise SystemExit("The benchmarks need wrk: apt-get install wrk")
    return path
