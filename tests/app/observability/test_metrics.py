"""Metrics: what the guide says of them is so, and the counts of several processes join."""

from __future__ import annotations

import re

import pytest
import yaml
from live.documents import ROOT, blocks
from prometheus_client.parser import text_string_to_metric_families

from app.observability.metrics import (
    CACHE_BYTES,
    CONTENT_DIAGNOSTICS,
    DELIVERIES,
    FAMILIES,
    LATENCY,
    LEADS,
    REQUESTS,
    Metrics,
    MetricType,
    Sample,
    cumulative,
    merge,
)
from app.serving.monitoring import exposition

GUIDE = "docs/monitoring.md"
ROW = re.compile(r"^\| `(majlis_\w+)` \| (\w+) \| ([\w, ]*) ?\|", re.MULTILINE)
PARTS_OF_A_HISTOGRAM = ("_bucket", "_count", "_sum")


def documented() -> dict[str, tuple[str, list[str]]]:
    """Type and labels of each metric in the guide's table."""
    text = (ROOT / GUIDE).read_text(encoding="utf-8")
    return {name: (kind, re.findall(r"\w+", labels)) for name, kind, labels in ROW.findall(text)}


def exposed() -> dict[str, tuple[str, list[str]]]:
    """The same of each that is told to Prometheus, under the name it has there."""
    families = text_string_to_metric_families(exposition({}).decode())
    return {
        family.name + ("_total" if family.type == "counter" else ""): (
            family.type,
            [*FAMILIES[family.name].labels],
        )
        for family in families
    }


def test_the_guide_has_every_metric_with_its_type_and_labels() -> None:
    """And none that does not exist."""
    assert documented() == exposed()
    assert len(exposed()) == len(FAMILIES)


def test_the_alarms_ask_for_metrics_that_exist() -> None:
    """By labels that these have."""
    (text,) = blocks(GUIDE, "yaml")
    known = exposed()
    rules = [rule for group in yaml.safe_load(text)["groups"] for rule in group["rules"]]
    assert len({rule["alert"] for rule in rules}) == len(rules) > 5
    for rule in rules:
        for name, selected in re.findall(r"(majlis_\w+)(?:\{([^}]*)\})?", rule["expr"]):
            kind, labels = known[name] if name in known else known[_whole(name)]
            assert (kind == "histogram") == (name not in known)
            assert set(re.findall(r"(\w+)=", selected)) <= set(labels)


def _whole(part: str) -> str:
    return next(part.removesuffix(end) for end in PARTS_OF_A_HISTOGRAM if part.endswith(end))


@pytest.mark.parametrize("kind", MetricType)
def test_figures_of_several_processes_join_by_their_kind(kind: MetricType) -> None:
    """Counts and sums add up; of what is alike in all, the largest counts."""
    one, two = Metrics(), Metrics()
    for metrics, number in ((one, 2), (two, 3)):
        metrics.count(REQUESTS, "/", "200", by=number)
        metrics.observe(LATENCY, number, "/")
        metrics_samples: list[Sample] = [
            (DELIVERIES, ("pending",), number),
            (CACHE_BYTES, (), number),
        ]
        metrics.register(metrics_samples.copy)
    whole = merge([one.samples(), two.samples()])
    expected = {
        MetricType.COUNT: (("majlis_requests", ("/", "200")), 5),
        MetricType.DURATION: (("majlis_request_seconds", ("/",)), 5),
        MetricType.MAX: (("majlis_deliveries", ("pending",)), 3),
        MetricType.SUM: (("majlis_cache_bytes", ()), 5),
    }
    key, number = expected[kind]
    assert whole[key][-1] == number


def test_of_a_process_that_ended_only_counts_stay() -> None:
    """What there is now, it no longer knows."""
    metrics = Metrics()
    metrics.count(LEADS, "api", "stored")
    metrics.register(lambda: [(CONTENT_DIAGNOSTICS, ("error",), 1), (CACHE_BYTES, (), 1)])
    assert cumulative(metrics.samples()) == {("majlis_leads", ("api", "stored")): [1]}
