"""The servers compared: the processor time of a cached response on each."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from benchmarks import servers
from benchmarks.answer import VARIABLE, ask
from benchmarks.figures import Figure
from benchmarks.load import load
from benchmarks.servers import Server, running_process

METHOD = (
    "`majlis serve --server …` with one worker and two, and a bare application on uvicorn that "
    "sends the recorded headers and body of the same response. wrk loads them in turn with 16 "
    "keep-alive connections for a second each, in three rounds. What counts is the processor time "
    "of all processes of a server, divided by its responses: the round with the least. The ratio "
    "is that of the bare application to it, so that 1 costs as little as sending the bytes. Two "
    "workers cost as much per response as one, if they share nothing that makes them wait."
)
_PATH, _ACCEPT = "/api/public/v1/blog/homepage", "application/json"
_ROUNDS = 3
_NAMES = {"hypercorn": "Hypercorn", "uvicorn": "uvicorn", "granian": "Granian"}
_TICKS = os.sysconf("SC_CLK_TCK")
_BARE = "bare application on uvicorn"
_LEAST = {"Majlis on Hypercorn, 1 worker": 0.75}
"""The bounds of ratios."""


def measure() -> Iterator[Figure]:
    """Measure microseconds of processor time per response."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        serving = {
            server.name: stack.enter_context(running_process(server, _PATH)) for server in _majlis()
        }
        recorded = Path(folder, "answer.json")
        ask(next(iter(serving.values()))[0], _PATH, _ACCEPT).write(recorded)
        bare = servers.on_uvicorn("bare application", servers.BARE_APP)
        serving[_BARE] = stack.enter_context(
            running_process(bare, _PATH, {VARIABLE: str(recorded)})
        )
        least: dict[str, float] = {}
        for _ in range(_ROUNDS):
            for name, (port, pid) in serving.items():
                cost = _cost(port, pid)
                least[name] = min(least.get(name, cost), cost)
    for name, cost in least.items():
        ratio = least[_BARE] / cost
        yield Figure("cached JSON", name, cost, "µs", ratio, at_least=_LEAST.get(name))


def _majlis() -> Iterator[Server]:
    for name, title in _NAMES.items():
        for count in (1, 2):
            workers = f"{count} worker{'s' * (count > 1)}"
            command = servers.majlis_hypercorn("--server", name, "--workers", str(count)).command
            yield Server(f"Majlis on {title}, {workers}", command)


def _cost(port: int, pid: int) -> float:
    """Return the microseconds of processor time per response during a second of load."""
    before = _ticks(pid)
    count = load(port, _PATH, _ACCEPT).count
    return (_ticks(pid) - before) / _TICKS / count * 1_000_000


def _ticks(pid: int) -> int:
    """Return the processor time of a process and its children so far."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    return int(fields[11]) + int(fields[12]) + sum(map(_ticks, map(int, children)))
