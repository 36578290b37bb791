"""Edits under load: what readers of cached pages notice of one edit a second."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from threading import Event, Thread
from time import clock_gettime

from benchmarks import servers
from benchmarks.corpus import write_posts
from benchmarks.figures import Figure
from benchmarks.load import load
from benchmarks.start import variables_in, wait_for_workers
from gulf import write_site
from live.processes import children

LOADED = 10_000
_PAGES = 500
METHOD = (
    f"wrk reads the HTML pages of {_PAGES} posts in turn, all cached, from a service on the "
    f"serving core with {LOADED:,} documents. In every second round one of these posts is written "
    "each second. Three rounds of four seconds each; the best of each kind counts, and the ratio "
    "is to those without edits. Throughput is that of a second of the service's CPU time, of which "
    "an edit takes its part."
)
_ROUNDS = 3
_SECONDS = 4
_POST = "/ae/en/blog/post-"
_HTML = "text/html"


def measure() -> Iterator[Figure]:
    """Measure throughput and the 99th percentile under edits."""
    with _service(LOADED) as (folder, port, process):
        _run(port, process)
        quiet, edited = _Best(), _Best()
        for _ in range(_ROUNDS):
            quiet.add(*_run(port, process))
            with _edit_each_second(folder):
                edited.add(*_run(port, process))
    subject, what = f"{LOADED:,} documents", "one edit a second"
    yield Figure(subject, "no edits", quiet.rate, "req/s", 1)
    yield Figure(subject, what, edited.rate, "req/s", edited.rate / quiet.rate, at_least=0.9)
    yield Figure(subject, "no edits, 99th percentile", quiet.p99_ms, "ms", 1)
    ratio = edited.p99_ms / quiet.p99_ms
    yield Figure(subject, f"{what}, 99th percentile", edited.p99_ms, "ms", ratio, at_most=2)


@dataclass(slots=True)
class _Best:
    """The best results of some rounds."""

    rate: float = 0.0
    p99_ms: float = float("inf")

    def add(self, rate: float, p99_ms: float) -> None:
        """Add a round."""
        self.rate, self.p99_ms = max(self.rate, rate), min(self.p99_ms, p99_ms)


def _run(port: int, process: int) -> tuple[float, float]:
    """Return the responses in a CPU second of the process, and their 99th percentile."""
    started = _cpu_seconds(process)
    result = load(port, _POST, _HTML, _SECONDS, pages=_PAGES)
    return result.count / (_cpu_seconds(process) - started), result.p99_ms


def _cpu_seconds(process: int) -> float:
    """Return the CPU time of a process, exactly: by the clock of clock_getcpuclockid(3)."""
    return clock_gettime((~process << 3) | 2)


@contextmanager
def _service(number: int) -> Iterator[tuple[Path, int, int]]:
    """Serve so many posts; yield their folder, the port, and the process that answers."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "content")
        write_posts(folder, number)
        write_site(folder, {})
        majlis, variables = servers.majlis(), variables_in(Path(name))
        with servers.running_process(majlis, f"{_POST}0", variables) as (port, process):
            wait_for_workers(process, 1)
            yield folder, port, next(iter(children(process)), process)


@contextmanager
def _edit_each_second(folder: Path) -> Iterator[None]:
    """Write a post each second meanwhile."""
    stop = Event()

    def write() -> None:
        for number in count():
            if stop.wait(1):
                return
            _edit(folder, number % _PAGES)

    writer = Thread(target=write)
    writer.start()
    try:
        yield
    finally:
        stop.set()
        writer.join()


def _edit(folder: Path, number: int) -> None:
    post = folder / "posts" / f"post-{number}.md"
    post.write_text(f"{post.read_text()}\nEdited.\n")
