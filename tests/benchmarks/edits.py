"""Edits under load: what readers of cached pages notice of one edit a second."""

from __future__ import annotations

import http.client
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from statistics import median
from threading import Event, Thread
from time import clock_gettime, monotonic

from benchmarks import servers
from benchmarks.corpus import write_posts
from benchmarks.figures import Figure
from benchmarks.load import load
from benchmarks.start import variables_in, wait_for_workers
from gulf import write_site
from live.processes import children

LOADED, LARGE = 10_000, 50_000
_PAGES = 500
METHOD = (
    f"wrk reads the HTML pages of {_PAGES} posts in turn, all cached, from a service on the "
    f"serving core with {LOADED:,} documents. In every second round one of these posts is written "
    "each second. Three rounds of four seconds each; the best of each kind counts, and the ratio "
    "is to those without edits. Throughput is that of a second of the service's CPU time, of which "
    f"an edit takes its part. The stall is measured with {LARGE:,} documents: one client reads "
    "a cached page without a pause, and the result is the CPU time that the process of the "
    "service spends during the response that takes it longest, after each of some edits; the "
    "median of them, to 5 ms. CPU time, because other processes count in wall time."
)
_ROUNDS = 3
_SECONDS = 4
_EDITS = 7
_STALL_MS = 5.0
_POST = "/ae/en/blog/post-"
_QUIET_POST = f"{_POST}{_PAGES + 1}"
_HTML = "text/html"


def measure() -> Iterator[Figure]:
    """Measure throughput and the 99th percentile under edits, and the stall at a swap."""
    yield from _under_load()
    yield from _stalls()


def _under_load() -> Iterator[Figure]:
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
    yield Figure(subject, f"{what}, 99th percentile", edited.p99_ms, "ms", ratio, at_most=1.3)


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


def _stalls() -> Iterator[Figure]:
    with _service(LARGE) as (folder, port, process):
        reader = _Reader(port, process)
        reader.longest_stall(5)
        quiet = median(reader.longest_stall(1) for _ in range(_EDITS))
        stalls = [_stall(reader, folder, number) for number in range(_EDITS)]
    subject = f"{LARGE:,} documents"
    yield Figure(subject, "longest stall in a second, no edit", quiet, "ms", quiet / _STALL_MS)
    stall = median(stalls)
    what = "longest stall in the second after an edit"
    yield Figure(subject, what, stall, "ms", stall / _STALL_MS, at_most=1)


def _stall(reader: _Reader, folder: Path, number: int) -> float:
    _edit(folder, number)
    return reader.longest_stall(1)


@contextmanager
def _service(number: int) -> Iterator[tuple[Path, int, int]]:
    """Serve so many posts; yield their folder, the port, and the process that answers."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "content")
        write_posts(folder, number)
        write_site(folder, {})
        majlis, variables = servers.majlis_hypercorn(), variables_in(Path(name))
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


class _Reader:
    """A client that reads one page over and over from a process."""

    def __init__(self, port: int, process: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port)
        self._process = process

    def longest_stall(self, seconds: float) -> float:
        """Return the most CPU milliseconds that the process spent during one response."""
        until, longest = monotonic() + seconds, 0.0
        while monotonic() < until:
            started = _cpu_seconds(self._process)
            self._read()
            longest = max(longest, _cpu_seconds(self._process) - started)
        return longest * 1_000

    def _read(self) -> None:
        self._connection.request("GET", _QUIET_POST, headers={"Accept": _HTML})
        response = self._connection.getresponse()
        response.read()
        if response.status != 200:
            raise RuntimeError(f"{_QUIET_POST} returned {response.status}")
