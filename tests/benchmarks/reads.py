"""Cached reads, compared with applications that only send the same bytes."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from benchmarks import servers
from benchmarks.answer import VARIABLE, Answer, ask
from benchmarks.figures import Figure
from benchmarks.load import load
from benchmarks.servers import Server, running

METHOD = (
    "All servers run at the same time on one core, wrk with 16 keep-alive connections on "
    "another. wrk loads them in turn for one second each, in seven rounds. The best round of "
    "each server counts, because the others measure noise of the machine. The bare applications "
    "send the recorded headers and body of a response of Majlis, without compression. Each "
    "request comes from a different client address."
)
_ROUNDS = 7
_BARE, _STOCK = servers.bare_hypercorn(), servers.majlis_on_hypercorn()
_OURS = servers.majlis()
_LEAST = 3.15
"""Of the bare application: 3.5 times what Majlis reached on stock Hypercorn when this was set."""


_FAST_FRONT = 2.5
"""Of the reads of stock Hypercorn: less is not worth a front of our own."""


@dataclass(frozen=True, slots=True)
class _Case:
    form: str
    path: str
    accept: str


_JSON = _Case("JSON", "/api/public/v1/blog/homepage", "application/json")
_CASES = (
    _JSON,
    _Case("markdown", "/ae/en/pricing", "text/markdown"),
    _Case("HTML", "/ae/en/pricing", "text/html"),
)


def measure() -> Iterator[Figure]:
    """Measure requests per second for each media type."""
    for case in _CASES:
        with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
            ours = stack.enter_context(running(_OURS, case.path))
            answer = ask(ours, case.path, case.accept)
            recorded = Path(folder, "answer.json")
            answer.write(recorded)
            ports = {_OURS.name: ours}
            for server in _others(case, Path(folder), answer):
                started = running(server, case.path, {VARIABLE: str(recorded)})
                port = stack.enter_context(started)
                ports[server.name] = port
            yield from _figures(case, _best(case, ports))


def _others(case: _Case, folder: Path, answer: Answer) -> Iterator[Server]:
    yield from (_BARE, _STOCK)
    if case is _JSON:
        others = servers.fast_api(), servers.express(), servers.nginx(folder, answer.body)
        yield from (server for server in others if server is not None)


def _best(case: _Case, ports: dict[str, int]) -> dict[str, float]:
    best = dict.fromkeys(ports, 0.0)
    for _ in range(_ROUNDS):
        for name, port in ports.items():
            best[name] = max(best[name], load(port, case.path, case.accept).per_second)
    return best


def _figures(case: _Case, best: dict[str, float]) -> Iterator[Figure]:
    subject = f"cached {case.form}"
    bare, stock, ours = (best[each.name] for each in (_BARE, _STOCK, _OURS))
    yield Figure(subject, _BARE.name, bare, "req/s", 1.0)
    yield Figure(subject, _STOCK.name, stock, "req/s", stock / bare)
    yield Figure(subject, _OURS.name, ours, "req/s", ours / bare, at_least=_LEAST)
    what = f"{_OURS.name}, to {_STOCK.name}"
    yield Figure(subject, what, ours, "req/s", ours / stock, at_least=_FAST_FRONT)
    for name, bound in _OTHERS.items():
        if name in best:
            yield Figure(subject, name, best[name], "req/s", 1.0)
            ratio = ours / best[name]
            what = f"{_OURS.name}, to {name}"
            yield Figure(subject, what, ours, "req/s", ratio, at_least=bound)


_OTHERS: Mapping[str, float | None] = {
    "FastAPI with pydantic on uvicorn": 2.0,
    "Express with compression and rate limit": 3.0,
    "nginx, a static file": None,
}
