"""Metrics: the counters of one process, and how those of several processes are merged.

Counting happens on every request, so it only adds to a number in a dictionary. The Prometheus
format is produced at scrape time, see `app.serving.monitoring`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

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


REQUESTS = Family("majlis_requests", MetricType.COUNT, "Responses, by route.", ("route", "status"))
LATENCY = Family(
    "majlis_request_seconds",
    MetricType.DURATION,
    "Time from request to response, by route.",
    ("route",),
)
CACHE_HITS = Family("majlis_cache_hits", MetricType.COUNT, "Reads served by the response cache.")
CACHE_MISSES = Family("majlis_cache_misses", MetricType.COUNT, "Reads that had to be computed.")
CACHE_BYTES = Family("majlis_cache_bytes", MetricType.SUM, "Memory of the response cache.")
EXECUTOR_QUEUED = Family(
    "majlis_executor_queued", MetricType.SUM, "Calls that wait for a thread.", ("executor",)
)
EXECUTOR_REJECTED = Family(
    "majlis_executor_rejected",
    MetricType.COUNT,
    "Requests rejected because the queue was full.",
    ("executor",),
)
RELOADS = Family("majlis_reloads", MetricType.COUNT, "Loads of the content folder.")
EDITION_AGE = Family("majlis_edition_age_seconds", MetricType.MAX, "Time since the last load.")
CONTENT_FILES = Family("majlis_content_files", MetricType.MAX, "Content files.")
CONTENT_DIAGNOSTICS = Family(
    "majlis_content_faults", MetricType.MAX, "Problems of content files.", ("severity",)
)
CONTENT_STALE = Family(
    "majlis_content_stale",
    MetricType.MAX,
    "1 while the edition is older than the content folder.",
    ("reason",),
)

LEADS = Family(
    "majlis_leads", MetricType.COUNT, "Leads received, by outcome.", ("channel", "outcome")
)
LEADS_QUARANTINED = Family(
    "majlis_leads_quarantined",
    MetricType.MAX,
    "Leads in quarantine, which the operator has to review.",
)
DELIVERIES = Family(
    "majlis_deliveries", MetricType.MAX, "Deliveries in the outbox, by status.", ("status",)
)
OVERDUE = Family(
    "majlis_delivery_overdue_seconds",
    MetricType.MAX,
    "Time for which the oldest pending delivery is due.",
)
ATTEMPTS = Family(
    "majlis_delivery_attempts", MetricType.COUNT, "Delivery attempts, by outcome.", ("outcome",)
)
LOCK_OUTS = Family(
    "majlis_partner_lock_outs",
    MetricType.COUNT,
    "Lock-outs after wrong partner tokens, by what was counted.",
    ("counted",),
)
TASK_RESTARTS = Family(
    "majlis_task_restarts",
    MetricType.COUNT,
    "Restarts of background tasks after an error.",
    ("task",),
)
STORE_AWAY = Family(
    "majlis_store_away", MetricType.MAX, "1 while a store is unavailable.", ("store",)
)
CONNECTIONS = Family("majlis_connections", MetricType.SUM, "Open connections.")
CONNECTIONS_REFUSED = Family(
    "majlis_connections_refused",
    MetricType.COUNT,
    "Connections not accepted, by reason.",
    ("reason",),
)
CONNECTIONS_CLOSED = Family(
    "majlis_connections_closed",
    MetricType.COUNT,
    "Connections and streams that the service closed early, by reason.",
    ("reason",),
)

FAMILIES: Mapping[str, Family] = {
    family.name: family
    for family in (
        *(REQUESTS, LATENCY, CACHE_HITS, CACHE_MISSES, CACHE_BYTES),
        *(EXECUTOR_QUEUED, EXECUTOR_REJECTED),
        *(RELOADS, EDITION_AGE, CONTENT_FILES, CONTENT_DIAGNOSTICS, CONTENT_STALE),
        *(LEADS, LEADS_QUARANTINED, DELIVERIES, OVERDUE, ATTEMPTS),
        *(LOCK_OUTS, TASK_RESTARTS, STORE_AWAY),
        *(CONNECTIONS, CONNECTIONS_REFUSED, CONNECTIONS_CLOSED),
    )
}

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
    merged: dict[Key, list[float]] = {}
    for part in parts:
        for key, numbers in part.items():
            previous = merged.get(key)
            is_max = FAMILIES[key[0]].kind is MetricType.MAX
            combine = max if is_max else float.__add__
            merged[key] = (
                [combine(float(a), float(b)) for a, b in zip(previous, numbers, strict=True)]
                if previous
                else [*numbers]
            )
    return merged


def cumulative(samples: Samples) -> Samples:
    """Return the samples that remain valid after their process has ended."""
    return dict(_cumulative(samples))


def _cumulative(samples: Samples) -> Iterator[tuple[Key, Sequence[float]]]:
    for key, numbers in samples.items():
        if FAMILIES[key[0]].kind in (MetricType.COUNT, MetricType.DURATION):
            yield key, numbers
