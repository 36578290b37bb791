"""Metrics: what one process counts, and how the counts of several add up.

Counting is a dictionary and a number, as it happens on every request. What Prometheus needs to
see is made of it only when asked for, see `app.serving.monitoring`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of the buckets in which durations are counted; one more is for all above."""


class MetricType(Enum):
    """What a number means, and so how that of several processes is found."""

    COUNT = auto()
    """Only grows; adds up, and outlives the process."""

    DURATION = auto()
    """Counts by bucket, then the sum of seconds; as COUNT."""

    SUM = auto()
    """How much there is now; adds up over the processes that run."""

    MAX = auto()
    """Is alike in all processes; the largest counts."""


@dataclass(frozen=True, slots=True)
class Family:
    """One metric under all its labels."""

    name: str
    kind: MetricType
    description: str
    labels: tuple[str, ...] = ()


REQUESTS = Family("majlis_requests", MetricType.COUNT, "Answers, by route.", ("route", "status"))
LATENCY = Family(
    "majlis_request_seconds",
    MetricType.DURATION,
    "Time from request to answer, by route.",
    ("route",),
)
CACHE_HITS = Family("majlis_cache_hits", MetricType.COUNT, "Reads answered by the response cache.")
CACHE_MISSES = Family("majlis_cache_misses", MetricType.COUNT, "Reads that had to be computed.")
CACHE_BYTES = Family("majlis_cache_bytes", MetricType.SUM, "Memory that the response cache uses.")
EXECUTOR_QUEUED = Family(
    "majlis_executor_queued", MetricType.SUM, "Calls that wait for a thread.", ("executor",)
)
EXECUTOR_REJECTED = Family(
    "majlis_executor_rejected",
    MetricType.COUNT,
    "Calls turned away by a full queue.",
    ("executor",),
)
RELOADS = Family("majlis_reloads", MetricType.COUNT, "Readings of the content folder.")
EDITION_AGE = Family("majlis_edition_age_seconds", MetricType.MAX, "Time since the last reading.")
CONTENT_FILES = Family("majlis_content_files", MetricType.MAX, "Files of content.")
CONTENT_DIAGNOSTICS = Family(
    "majlis_content_faults", MetricType.MAX, "What is wrong with them.", ("severity",)
)
CONTENT_STALE = Family(
    "majlis_content_stale",
    MetricType.MAX,
    "1 while an earlier edition is served than the folder holds.",
    ("reason",),
)

LEADS = Family(
    "majlis_leads", MetricType.COUNT, "Leads sent, by what came of them.", ("channel", "outcome")
)
LEADS_QUARANTINED = Family(
    "majlis_leads_quarantined",
    MetricType.MAX,
    "Leads in quarantine, which somebody has to look at.",
)
DELIVERIES = Family(
    "majlis_deliveries", MetricType.MAX, "Deliveries in the outbox, by status.", ("status",)
)
OVERDUE = Family(
    "majlis_delivery_overdue_seconds", MetricType.MAX, "How long the most belated delivery is due."
)
ATTEMPTS = Family(
    "majlis_delivery_attempts", MetricType.COUNT, "Attempts to deliver, by outcome.", ("outcome",)
)
LOCK_OUTS = Family(
    "majlis_partner_lock_outs",
    MetricType.COUNT,
    "Times that wrong partner tokens began to be refused, by what was counted.",
    ("counted",),
)
TASK_RESTARTS = Family(
    "majlis_task_restarts",
    MetricType.COUNT,
    "Background tasks started again after an error.",
    ("task",),
)
STORE_AWAY = Family(
    "majlis_store_away", MetricType.MAX, "1 while a store cannot answer.", ("store",)
)
CONNECTIONS = Family("majlis_connections", MetricType.SUM, "Connections that are open.")
CONNECTIONS_REFUSED = Family(
    "majlis_connections_refused",
    MetricType.COUNT,
    "Connections not accepted, by reason.",
    ("reason",),
)
CONNECTIONS_CLOSED = Family(
    "majlis_connections_closed",
    MetricType.COUNT,
    "Connections and streams that the service ended early, by reason.",
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
"""Name of a family, and values of its labels."""

Samples = Mapping[Key, Sequence[float]]
"""One number for each key, for a DURATION one for each bucket and the sum."""

Sample = tuple[Family, tuple[str, ...], float]
"""A number that is counted elsewhere."""

Source = Callable[[], Iterable[Sample]]
"""Tells figures when somebody asks."""


class Metrics:
    """What one process has counted since its start."""

    def __init__(self) -> None:
        self._numbers: dict[Key, list[float]] = {}
        self._sources: list[Source] = []

    def count(self, family: Family, *labels: str, by: float = 1) -> None:
        """Add to a COUNT."""
        key = (family.name, labels)
        numbers = self._numbers.get(key)
        if numbers is None:
            numbers = self._numbers[key] = [0]
        numbers[0] += by

    def observe(self, family: Family, seconds: float, *labels: str) -> None:
        """Add to a DURATION."""
        key = (family.name, labels)
        numbers = self._numbers.get(key)
        if numbers is None:
            numbers = self._numbers[key] = [0] * (len(SECONDS) + 2)
        numbers[bisect_left(SECONDS, seconds)] += 1
        numbers[-1] += seconds

    def register(self, source: Source) -> None:
        """Ask a source, too, whenever somebody asks."""
        self._sources.append(source)

    def samples(self) -> Samples:
        """All numbers as they are now."""
        told = {
            (family.name, labels): [number]
            for source in self._sources
            for family, labels, number in source()
        }
        return {key: [*numbers] for key, numbers in self._numbers.items()} | told


def merge(parts: Iterable[Samples]) -> Samples:
    """The numbers of several processes as those of one."""
    whole: dict[Key, list[float]] = {}
    for part in parts:
        for key, numbers in part.items():
            known = whole.get(key)
            worst = FAMILIES[key[0]].kind is MetricType.MAX
            join = max if worst else float.__add__
            whole[key] = (
                [join(float(a), float(b)) for a, b in zip(known, numbers, strict=True)]
                if known
                else [*numbers]
            )
    return whole


def cumulative(samples: Samples) -> Samples:
    """What stays true of a process that has ended."""
    return dict(_cumulative(samples))


def _cumulative(samples: Samples) -> Iterator[tuple[Key, Sequence[float]]]:
    for key, numbers in samples.items():
        if FAMILIES[key[0]].kind in (MetricType.COUNT, MetricType.DURATION):
            yield key, numbers
