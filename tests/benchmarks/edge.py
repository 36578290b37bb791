"""The edge: pages through the cache of nginx, compared with nginx that sends a static file."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter

import httpx
from benchmarks import servers
from benchmarks.answer import ask
from benchmarks.figures import Figure
from benchmarks.load import load
from benchmarks.servers import running
from benchmarks.start import variables_in

METHOD = (
    "nginx with the configuration of `majlis nginx` in front of Majlis, and nginx with a static "
    "file of the same bytes, each with one worker process and `sendfile` on the serving core. wrk "
    "loads them in turn with 16 connections for one second each, in seven rounds; the best round "
    "of each counts. Majlis makes each page anew once a second meanwhile, on the same core. "
    "Then the file of a page is edited five times, while one client reads the page through the "
    "cache: the result is the longest time after which it still got the old page, and the ratio "
    "is to two seconds."
)
_ROUNDS = 7
_SAMPLE = Path(__file__).parents[2] / "knowledge" / "content"
_EDITED_PATH, _EDITED_FILE = "/ae/en/about", "pages/about.md"
_GOAL_SECONDS = 2.0
_CASES = (
    ("HTML", "/ae/en/pricing", "text/html"),
    ("markdown", "/ae/en/pricing", "text/markdown"),
    ("llms.txt", "/ae/en/llms.txt", "*/*"),
)


def measure() -> Iterator[Figure]:
    """Measure requests per second of each form."""
    for form, path, accept in _CASES:
        with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
            ours = stack.enter_context(running(servers.majlis(), path))
            body = ask(ours, path, accept).body
            static = servers.nginx(Path(folder), body)
            edge = servers.edge(Path(folder), ours)
            if static is None or edge is None:
                return
            ports = [stack.enter_context(running(each, path)) for each in (static, edge)]
            yield from _figures(f"{form} at the edge", path, accept, ports)
    yield from _edits()


def _figures(subject: str, path: str, accept: str, ports: list[int]) -> Iterator[Figure]:
    rates = [[load(port, path, accept).per_second for port in ports] for _ in range(_ROUNDS)]
    static, cached = map(max, zip(*rates, strict=True))
    yield Figure(subject, "nginx, a static file", static, "req/s", 1.0)
    yield Figure(subject, "nginx with a cache", cached, "req/s", cached / static, at_least=0.75)


def _edits() -> Iterator[Figure]:
    """Measure how long readers get a page as it was before an edit."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        content = shutil.copytree(_SAMPLE, Path(folder, "content"))
        variables = variables_in(Path(folder))
        ours = stack.enter_context(running(servers.majlis(), _EDITED_PATH, variables))
        edge = servers.edge(Path(folder), ours)
        if edge is None:
            return
        port = stack.enter_context(running(edge, _EDITED_PATH))
        stale = max(_stale_seconds(port, content / _EDITED_FILE, number) for number in range(5))
    ratio = stale / _GOAL_SECONDS
    yield Figure(
        "HTML at the edge", "edit, until all see it", stale * 1_000, "ms", ratio, at_most=1
    )


def _stale_seconds(port: int, file: Path, number: int) -> float:
    """Return after how many seconds the last response did not show an edit."""
    word = f"Edit{number}"
    file.write_text(f"{file.read_text()}\n\n{word}\n")
    written, last = perf_counter(), 0.0
    with httpx.Client(base_url=f"http://127.0.0.1:{port}") as client:
        while (now := perf_counter() - written) < _GOAL_SECONDS * 2:
            if word not in client.get(_EDITED_PATH, headers={"Accept": "text/html"}).text:
                last = now
    return last
