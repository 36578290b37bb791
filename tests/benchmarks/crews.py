"""Workers: what a second core brings."""

from __future__ import annotations

import os
from collections.abc import Iterator

from benchmarks import servers
from benchmarks.figures import Figure
from benchmarks.load import load
from benchmarks.servers import running

METHOD = (
    "`majlis serve --workers N` on all cores, the load beside it on one of them, so that a second "
    "worker cannot bring all of a core on a machine of two. Asked in turn, five rounds; the best "
    "counts. The ratio is to one worker."
)
_PATH = "/api/public/v1/blog/homepage"
_ROUNDS = 5


def measure() -> Iterator[Figure]:
    """Requests per second with one worker, two, and one for each core."""
    cores = len(os.sched_getaffinity(0))
    best: dict[int, float] = {}
    for _ in range(_ROUNDS):
        for count in sorted({1, 2, cores}):
            server = servers.majlis_hypercorn("--workers", str(count))
            with running(server, _PATH, core=None) as port:
                found = load(port, _PATH, "application/json", seconds=2).per_second
                best[count] = max(best.get(count, 0.0), found)
    for count, found in best.items():
        yield Figure("workers", f"{count} of them", found, "req/s", found / best[1])
