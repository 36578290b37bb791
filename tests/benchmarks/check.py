"""The content check: how long `majlis check` takes for many documents."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from benchmarks.corpus import write_posts
from benchmarks.figures import Figure

METHOD = (
    "`majlis check` of posts of about 3.5 kB, with all its processes on all cores, twice; the "
    "faster run counts. The ratio is to ten seconds, which is the goal for 10,000 documents."
)
_COUNT = 10_000
_GOAL_SECONDS = 10.0
_ROUNDS = 2


def measure() -> Iterator[Figure]:
    """Measure the seconds of a check."""
    with tempfile.TemporaryDirectory() as name:
        write_posts(Path(name), _COUNT)
        seconds = min(_seconds(name) for _ in range(_ROUNDS))
    ratio = seconds / _GOAL_SECONDS
    yield Figure(f"{_COUNT:,} documents", "majlis check", seconds, "s", ratio, at_most=1)


def _seconds(folder: str) -> float:
    started = perf_counter()
    command = (str(Path(sys.executable).with_name("majlis")), "check", folder)
    subprocess.run(command, check=False, stdout=subprocess.DEVNULL)  # its findings do not matter
    return perf_counter() - started
