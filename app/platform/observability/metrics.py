"""Metrics: the counters of one process, and how those of several processes are merged.

Counting happens on every request, so it only adds to a number in a dictionary. The Prometheus
format is produced at scrape time, see `app.server.monitoring`.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from itertools import chain
from operator import add

SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds in seconds of the histogram buckets; one more bucket counts all above."""


class MetricType(Enum):
    """The type of a metric, which decides how values of several processes are merged."""

    COUNT = auto()
    """A counter: summed, also with the counts of processes that have ended."""
    DURATION = auto()
    """A histogram: one count for each bucket, then the sum of seconds; merged like COUNT."""
    SUM = auto()
    """A gauge that is summed over the running processes."""
    MAX = auto()
    """A gauge that is the same in all processes; the largest value is reported."""


@dataclass(frozen=True, slots=True)
class Family:
    """A metric with all its label values."""

    name: str
    kind: MetricType
    description: str
    labels: tuple[str, ...] = ()


FAMILIES: dict[str, Family] = {}
"""Every metric by its name, in the order of the export; those of the features are added to it."""


def _family(kind: MetricType, name: str, description: str, *labels: str) -> Family:
    family = FAMILIES[name] = Family(name, kind, description, labels)
    return family


_counter = partial(_family, MetricType.COUNT)
_histogram = partial(_family, MetricType.DURATION)
_sum = partial(_family, MetricType.SUM)
_max = partial(_family, MetricType.MAX)

REQUESTS = _counter("majlis_requests", "Responses, by route.", "route", "status")
LATENCY = _histogram("majlis_request_seconds", "Time from request to response, by route.", "route")
CACHE_HITS = _counter("majlis_cache_hits", "Reads served by the response cache.")
CACHE_MISSES = _counter("majlis_cache_misses", "Reads that had to be computed.")
CACHE_BYTES = _sum("majlis_cache_bytes", "Memory of the response cache.")
EXECUTOR_QUEUED = _sum("majlis_executor_queued", "Calls that wait for a thread.", "executor")
EXECUTOR_REJECTED = _counter(
    "majlis_executor_rejected", "Requests rejected because the queue was full.", "executor"
)
RELOADS = _counter("majlis_reloads", "Loads of the content folder.")
EDITION_AGE = _max("majlis_edition_age_seconds", "Time since the last load.")
CONTENT_FILES = _max("majlis_content_files", "Content files.")
CONTENT_DIAGNOSTICS = _max("majlis_content_faults", "Problems of content files.", "severity")
CONTENT_STALE = _max(
    "majlis_content_stale", "1 while the edition is older than the content folder.", "reason"
)
CONTENT_WAITING = _max(
    "majlis_content_waiting_seconds", "Time for which the oldest newer commit waits."
)
DELIVERIES = _max("majlis_deliveries", "Deliveries in the outbox, by status.", "status", "kind")
OVERDUE = _max(
    "majlis_delivery_overdue_seconds", "Time for which the oldest pending delivery is due.", "kind"
)
ATTEMPTS = _counter("majlis_delivery_attempts", "Delivery attempts, by outcome.", "outcome", "kind")
TASK_RESTARTS = _counter(
    "majlis_task_restarts", "Restarts of background tasks after an error.", "task"
)
LOG_LINES_DROPPED = _counter(
    "majlis_log_lines_dropped", "Lines that a log did not take, by log.", "log"
)
STORE_AWAY = _max("majlis_store_away", "1 while a store is unavailable.", "store")
DATABASE_CONNECTIONS = _sum(
    "majlis_database_connections", "Connections to PostgreSQL, by state.", "state"
)
CONNECTIONS = _sum("majlis_connections", "Open connections.")
CONNECTIONS_REFUSED = _counter(
    "majlis_connections_refused", "Connections not accepted, by reason.", "reason"
)
CONNECTIONS_CLOSED = _counter(
    "majlis_connections_closed",
    "Connections and streams that the service closed early, by reason.",
    "reason",
)

Key = tuple[str, tuple[str, ...]]
"""The name of a family, and its label values."""

Samples = Mapping[Key, Sequence[float]]
"""One number for each key; for a DURATION one for each bucket, and the sum."""

Sample = tuple[Family, tuple[str, ...], float]
"""A family, its label values, and a number that is read at scrape time."""

Source = Callable[[], Iterable[Sample]]
"""Returns samples at scrape time."""


class Metrics:
    """The metrics of one process."""

    def __init__(self) -> None:
        self._numbers: dict[Key, list[float]] = {}
        self._sources: list[Source] = []

    def count(self, family: Family, *labels: str, by: float = 1) -> None:
        """Add to a metric of type COUNT."""
        key = (family.name, labels)
        numbers = self._numbers.get(key)
        if numbers is None:
            numbers = self._numbers[key] = [0]
        numbers[0] += by

    def observe(self, family: Family, seconds: float, *labels: str) -> None:
        """Add a duration to a metric of type DURATION."""
        key = (family.name, labels)
        numbers = self._numbers.get(key)
        if numbers is None:
            numbers = self._numbers[key] = [0] * (len(SECONDS) + 2)
        numbers[bisect_left(SECONDS, seconds)] += 1
        numbers[-1] += seconds

    def register(self, source: Source) -> None:
        """Register a source that is read at each scrape."""
        self._sources.append(source)

    def samples(self) -> Samples:
        """Return all current values, those of the registered sources included."""
        from_sources = {
            (family.name, labels): [number]
            for source in self._sources
            for family, labels, number in source()
        }
        return {key: [*numbers] for key, numbers in self._numbers.items()} | from_sources


def merge(parts: Iterable[Samples]) -> Samples:
    """Merge the samples of several processes into one."""
    merged: dict[Key, Sequence[float]] = {}
    for key, numbers in chain.from_iterable(part.items() for part in parts):
        previous = merged.get(key)
        combine = max if FAMILIES[key[0]].kind is MetricType.MAX else add
        merged[key] = [*map(combine, previous, numbers)] if previous else numbers
    return merged


def cumulative(samples: Samples) -> Samples:
    """Return the samples that remain valid after their process has ended."""
    lasting = (MetricType.COUNT, MetricType.DURATION)
    return {key: numbers for key, numbers in samples.items() if FAMILIES[key[0]].kind in lasting}
