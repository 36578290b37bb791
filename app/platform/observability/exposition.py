"""Exposition: the metrics in the text format of Prometheus."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import cast

from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.exposition import generate_latest
from prometheus_client.registry import Collector

from app.platform.observability.metrics import FAMILIES, SECONDS, Family, MetricType, Samples

_BOUNDS = (*(str(bound) for bound in SECONDS), "+Inf")


def exposition(samples: Samples) -> bytes:
    """Return the samples in the Prometheus text format."""
    return generate_latest(_SampleCollector(samples))


class _SampleCollector(Collector):
    """A collector of the Prometheus client library over our samples."""

    def __init__(self, samples: Samples) -> None:
        self._samples = samples

    def collect(self) -> Iterator[Metric]:
        for family in FAMILIES.values():
            metric = _metric(family)
            for (name, labels), numbers in self._samples.items():
                if name == family.name:
                    _add(metric, labels, [*numbers])
            yield metric


def _metric(family: Family) -> Metric:
    types = {MetricType.COUNT: CounterMetricFamily, MetricType.DURATION: HistogramMetricFamily}
    metric_type = types.get(family.kind, GaugeMetricFamily)
    return cast(Metric, metric_type(family.name, family.description, labels=family.labels))


def _add(metric: Metric, labels: tuple[str, ...], numbers: list[float]) -> None:
    if isinstance(metric, HistogramMetricFamily):
        *counts, total = numbers
        metric.add_metric(labels, list(zip(_BOUNDS, accumulate(counts), strict=True)), total)
    elif isinstance(metric, CounterMetricFamily | GaugeMetricFamily):
        metric.add_metric(labels, numbers[0])
