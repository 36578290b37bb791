"""What counting readers costs: the CPU time of a cached read with it and without."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator

from benchmarks import servers
from benchmarks.figures import Figure
from benchmarks.load import load
from benchmarks.servers import running
from contract.visitor import Visitor

METHOD = (
    "A cached page is requested in one process from an application that counts its readers and "
    "from one that does not, in turn; the figure is the median difference of CPU time. The "
    "ratio is its share of a whole request, of which Majlis serves as many in a second as wrk "
    "measures."
)
_PATH = "/ae/en/erp"
_HEADERS = {
    "Accept": "text/html",
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
}
_ROUNDS = 25
_READS = 400


def measure() -> Iterator[Figure]:
    """Measure a cached page in HTML."""
    seconds = _counting_seconds()
    with running(servers.majlis(), _PATH) as port:
        per_second = max(load(port, _PATH, "text/html").per_second for _ in range(3))
    share = seconds * per_second
    yield Figure("cached HTML", "counting a reader", seconds * 1e6, "µs", share, at_most=0.03)


def _counting_seconds() -> float:
    with Visitor() as plain, Visitor(audience=True) as counting:
        _seconds(plain)
        _seconds(counting)
        rounds = [_seconds(counting) - _seconds(plain) for _ in range(_ROUNDS)]
    return statistics.median(rounds)


def _seconds(visitor: Visitor) -> float:
    """Return the CPU time of one cached read."""

    async def read() -> None:
        for _ in range(_READS):
            await visitor.exchange("GET", _PATH, _HEADERS, "198.51.100.1")

    started = time.process_time()
    visitor._runner.run(read())
    return (time.process_time() - started) / _READS
