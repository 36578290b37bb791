"""A flood of searches: how much longer another reader waits for a cached page."""

from __future__ import annotations

import socket
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, sleep

from benchmarks import servers
from benchmarks.corpus import write_posts
from benchmarks.figures import Figure
from benchmarks.load import wrk
from benchmarks.servers import running

METHOD = (
    "One client reads a cached page over one connection, with 2 ms between two requests, while "
    "wrk sends different searches of different clients over 32 connections, as fast as they are "
    "answered or refused. Alone and beside the flood in turn, in five rounds of 400 reads. The "
    "result is the 99th percentile of the best round; the ratio is to the reader alone."
)
_CONNECTIONS = 32
_ROUNDS = 5
_READS = 400
_PAUSE_SECONDS = 0.002
_WARM_UP_SECONDS = 3
_SETTLE_SECONDS = 1
"""Until the searches of a flood are done."""
_SCRIPT = Path(__file__).with_name("floods.lua")
_PAGE = "/ae/en"
_READY = "/api/public/v1/search?q=invoice"
_TARGETS = {
    "the API": "/api/public/v1/search?q={}",
    "the search page": "/ae/en/search?q={}",
}


def measure() -> Iterator[Figure]:
    """Measure with the sample content and with 10,000 posts, with one worker and two."""
    with tempfile.TemporaryDirectory() as folder:
        content, index = Path(folder, "content"), Path(folder, "index")
        write_posts(content, 10_000)
        posts = {"CONTENT_DIR": str(content), "INDEX_DIR": str(index / "posts")}
        sample = {"INDEX_DIR": str(index / "sample")}
        for workers in (1, 2):
            yield from _measured("sample content", sample, workers)
            yield from _measured("10,000 posts", posts, workers)


def _measured(content: str, variables: Mapping[str, str], workers: int) -> Iterator[Figure]:
    subject = f"{content}, {workers} worker{'s' * (workers > 1)}"
    server = servers.majlis("--workers", str(workers))
    with running(server, _READY, variables, core=None) as port:
        sleep(_WARM_UP_SECONDS)
        for target, path in _TARGETS.items():
            alone, beside = _rounds(port, path)
            yield Figure(subject, "cached page, alone", alone * 1_000, "ms", 1)
            what = f"cached page, beside a flood of {target}"
            yield Figure(subject, what, beside * 1_000, "ms", beside / alone, at_most=1.5)


def _rounds(port: int, path: str) -> tuple[float, float]:
    """Return the best 99th percentiles, alone and beside a flood."""
    alone, beside = [], []
    for _ in range(_ROUNDS):
        alone.append(_p99(port))
        with _flood(port, path):
            beside.append(_p99(port))
        sleep(_SETTLE_SECONDS)
    return min(alone), min(beside)


def _p99(port: int) -> float:
    """Return the 99th percentile of the seconds of a read."""
    request = f"GET {_PAGE} HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\n\r\n".encode()
    seconds = []
    with socket.create_connection(("127.0.0.1", port)) as connection:
        for _ in range(_READS):
            sleep(_PAUSE_SECONDS)
            started = perf_counter()
            connection.sendall(request)
            _receive(connection)
            seconds.append(perf_counter() - started)
    return sorted(seconds)[_READS * 99 // 100]


def _receive(connection: socket.socket) -> None:
    """Read a response with a Content-Length."""
    head, _, body = connection.recv(65_536).partition(b"\r\n\r\n")
    length = head.lower().partition(b"content-length:")[2].split(b"\r\n", 1)[0]
    left = int(length) - len(body)
    while left > 0:
        left -= len(connection.recv(65_536))


@contextmanager
def _flood(port: int, path: str) -> Iterator[None]:
    """Send searches during the block, and for a while before."""
    command = [wrk(), "-t1", f"-c{_CONNECTIONS}", "-d60s", "-s", str(_SCRIPT)]
    command.append(f"http://127.0.0.1:{port}{path}")
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        try:
            sleep(_SETTLE_SECONDS)
            yield
        finally:
            process.terminate()
