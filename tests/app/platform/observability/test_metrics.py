"""Metrics: the guide documents all of them, and those of several processes are merged."""

from __future__ import annotations

import re

from cases import cases
from live.documents import ROOT
from prometheus_client.parser import text_string_to_metric_families

from app.features.leads import LEADS
from app.platform.observability.metrics import (
    CACHE_BYTES,
    CONTENT_DIAGNOSTICS,
    DELIVERIES,
    FAMILIES,
    LATENCY,
    REQUESTS,
    Metrics,
    MetricType,
    Sample,
    cumulative,
    merge,
)
from app.server.monitoring import exposition

GUIDE = "docs/monitoring.md"
ROW = re.compile(r"^\| `(majlis_\w+)` \| (\w+) \| ([\w, ]*) ?\|", re.MULTILINE)


def documented() -> dict[str, tuple[str, list[str]]]:
    """Return type and labels of each metric in the guide's table."""
    text = (ROOT / GUIDE).read_text(encoding="utf-8")
    return {name: (kind, re.findall(r"\w+", labels)) for name, kind, labels in ROW.findall(text)}


def exposed() -> dict[str, tuple[str, list[str]]]:
    """Return type and labels of each metric in the Prometheus format."""
    families = text_string_to_metric_families(exposition({}).decode())
    return {
        family.name + ("_total" if family.type == "counter" else ""): (
            family.type,
            [*FAMILIES[family.name].labels],
        )
        for family in families
    }


def test_the_guide_has_every_metric_with_its_type_and_labels() -> None:
    """It documents no metric that does not exist."""
    assert documented() == exposed()
    assert len(exposed()) == len(FAMILIES)


@cases("kind", MetricType)
def test_metrics_of_several_processes_are_merged_by_type(kind: MetricType) -> None:
    """COUNT, DURATION and SUM are added; of MAX the largest value is reported."""
    one, two = Metrics(), Metrics()
    for metrics, number in ((one, 2), (two, 3)):
        metrics.count(REQUESTS, "/", "200", by=number)
        metrics.observe(LATENCY, number, "/")
        samples: list[Sample] = [
            (DELIVERIES, ("pending", "order"), number),
            (CACHE_BYTES, (), number),
        ]
        metrics.register(samples.copy)
    merged = merge([one.samples(), two.samples()])
    expected = {
        MetricType.COUNT: (("majlis_requests", ("/", "200")), 5),
        MetricType.DURATION: (("majlis_request_seconds", ("/",)), 5),
        MetricType.MAX: (("majlis_deliveries", ("pending", "order")), 3),
        MetricType.SUM: (("majlis_cache_bytes", ()), 5),
    }
    key, number = expected[kind]
    assert merged[key][-1] == number


def test_only_counters_outlive_their_process() -> None:
    """Gauges of a process that has ended are dropped."""
    metrics = Metrics()
    metrics.count(LEADS, "api", "stored")
    metrics.register(lambda: [(CONTENT_DIAGNOSTICS, ("error",), 1), (CACHE_BYTES, (), 1)])
    assert cumulative(metrics.samples()) == {("majlis_leads", ("api", "stored")): [1]}
