"""The edge: pages through the cache of nginx, compared with nginx that sends a static file."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from benchmarks import servers
from benchmarks.answer import ask
from benchmarks.figures import Figure
from benchmarks.load import load
from benchmarks.servers import running

METHOD = (
    "nginx with the configuration of `majlis nginx` in front of Majlis, and nginx with a static "
    "file of the same bytes, each with one worker process and `sendfile` on the serving core. wrk "
    "loads them in turn with 16 connections for one second each, in seven rounds; the best round "
    "of each counts. Majlis makes each page anew once a second meanwhile, on the same core."
)
_ROUNDS = 7
_CASES = (
    ("HTML", "/ae/en/pricing", "text/html"),
    ("markdown", "/ae/en/pricing", "text/markdown"),
    ("llms.txt", "/ae/en/llms.txt", "*/*"),
)


def measure() -> Iterator[Figure]:
    """Measure requests per second of each form."""
    for form, path, accept in _CASES:
        with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
            ours = stack.enter_context(running(servers.majlis_hypercorn(), path))
            body = ask(ours, path, accept).body
            static = servers.nginx(Path(folder), body)
            edge = servers.edge(Path(folder), ours)
            if static is None or edge is None:
                return
            ports = [stack.enter_context(running(each, path)) for each in (static, edge)]
            yield from _figures(f"{form} at the edge", path, accept, ports)


def _figures(subject: str, path: str, accept: str, ports: list[int]) -> Iterator[Figure]:
    rates = [[load(port, path, accept).per_second for port in ports] for _ in range(_ROUNDS)]
    static, cached = map(max, zip(*rates, strict=True))
    yield Figure(subject, "nginx, a static file", static, "req/s", 1.0)
    yield Figure(subject, "nginx with a cache", cached, "req/s", cached / static, at_least=0.75)
