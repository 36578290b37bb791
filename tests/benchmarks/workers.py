"""Workers: the gain from a second core."""

from __future__ import annotations

import os
from collections.abc import Iterator

from benchmarks import servers
from benchmarks.figures import Figure
from benchmarks.load import load
from benchmarks.servers import running

METHOD = (
    "`majlis serve --workers N` on all cores, with the load on one of them, so that on a "
    "machine with two cores a second worker cannot add a full core. Each number of workers is "
    "measured in turn, in five rounds; the best counts. The ratio is to one worker."
)
_PATH = "/api/public/v1/blog/homepage"
_ROUNDS = 5


def measure() -> Iterator[Figure]:
    """Measure requests per second with one worker, two, and one per core."""
    cores = len(os.sched_getaffinity(0))
    best: dict[int, float] = {}
    for _ in range(_ROUNDS):
        for count in sorted({1, 2, cores}):
            server = servers.majlis("--workers", str(count))
            with running(server, _PATH, core=None) as port:
                rate = load(port, _PATH, "application/json", seconds=2).per_second
                best[count] = max(best.get(count, 0.0), rate)
    for count, rate in best.items():
        least = 1.9 if count == 2 and cores > 2 else None
        name = f"{count} worker{'s' * (count > 1)}"
        yield Figure("workers", name, rate, "req/s", rate / best[1], at_least=least)
