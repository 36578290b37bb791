"""The rules for Prometheus and the dashboard for Grafana, against what `/metrics` really gives."""

from __future__ import annotations

import json
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any

import promql_parser
import pytest
import yaml
from live.documents import ROOT
from live.fixtures import small_tree
from live.server import Server, client_of, free_port
from live.tools import program
from prometheus_client.parser import text_string_to_metric_families
from storefront.shop import TOKEN

pytestmark = pytest.mark.slow

FOLDER = ROOT / "docs" / "monitoring"
RULES = FOLDER / "majlis-rules.yml"
UNIT_TESTS = FOLDER / "majlis-rules-tests.yml"
DASHBOARD = FOLDER / "majlis-dashboard.json"
GUIDE = ROOT / "docs" / "monitoring.md"

BY_PROMETHEUS = {"job", "instance"}
"""The labels that Prometheus adds to each sample."""

ROWS = [
    *("Traffic", "Cache", "Content editions", "Leads"),
    *("Deliveries", "Limits", "Audience", "Database"),
]
GRAFANA_COLUMNS = 24

Scrape = Mapping[str, Mapping[str, set[str]]]
"""Of each sample name the labels, with the values that they had."""


@pytest.fixture(scope="module")
def scrape(tmp_path_factory: pytest.TempPathFactory) -> Scrape:
    """What `/metrics` gives after some reads, searches, leads and refusals."""
    work, port = tmp_path_factory.mktemp("scraped"), free_port()
    settings = {
        "METRICS_PORT": str(port),
        "AUDIENCE": "on",
        "ERP_PULL_API_TOKEN": TOKEN,
        "ERP_WEBHOOK_URL": "http://127.0.0.1:9",
    }
    with Server(small_tree(work / "content"), work, **settings) as server:
        with server.client() as client:
            for path in ("/ae/en/page", "/ae/en/search?q=nothing", "/api/orders"):
                client.get(path)
            client.post("/api/leads", json={"email": "no address"})
        with client_of(f"http://127.0.0.1:{port}") as prometheus:
            return _scrape(prometheus.get("/metrics").text)


def _scrape(text: str) -> Scrape:
    names: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            for label, value in sample.labels.items():
                names[sample.name][label].add(value)
            names[sample.name].setdefault("", set())
    return names


def rules() -> list[dict[str, Any]]:
    """Return all rules."""
    groups = yaml.safe_load(RULES.read_text("utf-8"))["groups"]
    return [rule for group in groups for rule in group["rules"]]


def panels() -> list[dict[str, Any]]:
    """Return the panels of the dashboard, rows too."""
    panels: list[dict[str, Any]] = json.loads(DASHBOARD.read_text("utf-8"))["panels"]
    return panels


def expressions() -> Iterator[str]:
    """Yield all expressions of both, with values for the variables of Grafana."""
    yield from (rule["expr"] for rule in rules())
    for panel in panels():
        for target in panel.get("targets", []):
            yield target["expr"].replace("$__rate_interval", "5m").replace("$job", ".*")


def parts(expression: str) -> list[Any]:
    """Parse an expression and return its nodes; raises ValueError."""
    nodes: list[Any] = []
    promql_parser.walk(promql_parser.parse(expression), nodes.append)
    return nodes


def selectors(expression: str) -> Iterator[Any]:
    """Yield what an expression selects."""
    for node in parts(expression):
        if isinstance(node, promql_parser.MatrixSelector):
            yield node.vector_selector
        elif isinstance(node, promql_parser.VectorSelector):
            yield node


def known(scrape: Scrape) -> Scrape:
    """Return the samples of a scrape, those of Prometheus, and those of recording rules."""
    recorded = {rule["record"]: {"job": set[str]()} for rule in rules() if "record" in rule}
    return {**scrape, **recorded, "up": {}}


def test_all_that_an_expression_reads_exists(scrape: Scrape) -> None:
    """Each metric, each label that it selects or groups by, and each value that it compares."""
    samples = known(scrape)
    expected = dict.fromkeys(expressions())
    assert len(expected) > 50
    assert {each: found for each in expected if (found := list(unknown(each, samples)))} == {}


def unknown(expression: str, samples: Scrape) -> Iterator[str]:
    """Yield what an expression reads and no scrape gives."""
    labels = set(BY_PROMETHEUS)
    for selector in selectors(expression):
        if selector.name not in samples:
            yield selector.name
            continue
        labels |= samples[selector.name].keys()
        for matcher in selector.matchers.matchers:
            values = _values(samples[selector.name].get(matcher.name, set()), matcher.name)
            if matcher.name not in BY_PROMETHEUS and not _matches(matcher, values):
                yield f"{selector.name}{{{matcher}}}"
    for node in parts(expression):
        if isinstance(node, promql_parser.AggregateExpr) and node.modifier:
            yield from set(node.modifier.labels) - labels


def _values(scraped: set[str], label: str) -> set[str]:
    """Return the values of a label: of a status, all there are."""
    statuses = {str(status.value) for status in HTTPStatus} if label == "status" else set[str]()
    return scraped | statuses


def _matches(matcher: Any, values: set[str]) -> bool:
    """Return whether a matcher finds a value; of a choice, each part has to."""
    if matcher.op == promql_parser.MatchOp.Equal:
        return matcher.value in values
    choice = matcher.value.split("|") if "(" not in matcher.value else [matcher.value]
    return all(any(re.fullmatch(part, value) for value in values) for part in choice)


def test_every_metric_has_a_panel(scrape: Scrape) -> None:
    """Nothing that is measured is left for the operator to find."""
    shown = {selector.name for expression in expressions() for selector in selectors(expression)}
    families = {re.sub("_(bucket|sum|count)$", "", name) for name in scrape}
    ours = {name for name in families if name.startswith("majlis_")}
    assert {re.sub("_(bucket|sum|count)$", "", name) for name in shown} >= ours


def test_alerts_say_what_happened_and_what_to_do() -> None:
    """With a severity; the guide names each of them."""
    alerts = [rule for rule in rules() if "alert" in rule]
    assert len({alert["alert"] for alert in alerts}) == len(alerts)
    for alert in alerts:
        assert alert["labels"]["severity"] in {"critical", "warning"}
        assert alert["annotations"].keys() == {"summary", "description"}
        used = set(re.findall(r"\$labels\.(\w+)", str(alert["annotations"])))
        grouped = {
            label
            for node in parts(alert["expr"])
            if isinstance(node, promql_parser.AggregateExpr) and node.modifier
            for label in node.modifier.labels
        }
        assert used <= grouped | BY_PROMETHEUS
    named = set(re.findall(r"`(Majlis\w+)`", GUIDE.read_text("utf-8")))
    assert named == {alert["alert"] for alert in alerts}


def test_every_alert_has_a_unit_test() -> None:
    """In which it fires."""
    text = UNIT_TESTS.read_text("utf-8")
    fired = re.findall(r'alertname="(\w+)"', text)
    assert sorted(fired) == sorted(rule["alert"] for rule in rules() if "alert" in rule)


@pytest.mark.parametrize(
    ("command", "file"),
    [pytest.param("check", RULES, id="syntax"), pytest.param("test", UNIT_TESTS, id="unit tests")],
)
def test_promtool_accepts_the_rules(command: str, file: Path) -> None:
    """It is the parser of Prometheus itself."""
    arguments = [program("promtool"), command, "rules", str(file)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_dashboard_can_be_imported_anywhere() -> None:
    """Its source is a variable; panels have ids, descriptions, and places that do not overlap."""
    dashboard = json.loads(DASHBOARD.read_text("utf-8"))
    variables = {each["name"]: each for each in dashboard["templating"]["list"]}
    assert variables.keys() == {"datasource", "job"}
    assert variables["datasource"]["type"] == "datasource"
    assert dashboard["id"] is None
    assert dashboard["schemaVersion"] >= 39
    rows = [panel["title"] for panel in panels() if panel["type"] == "row"]
    assert rows == ROWS
    assert len({panel["id"] for panel in panels()}) == len(panels())
    cells = [cell for panel in panels() for cell in _cells(panel["gridPos"])]
    assert len(set(cells)) == len(cells)
    assert max(x for x, _ in cells) < GRAFANA_COLUMNS
    for panel in panels():
        if panel["type"] != "row":
            assert panel["description"]
            sources = [panel["datasource"], *(each["datasource"] for each in panel["targets"])]
            assert all(source["uid"] == "${datasource}" for source in sources)


def _cells(place: Mapping[str, int]) -> Iterator[tuple[int, int]]:
    for x in range(place["x"], place["x"] + place["w"]):
        for y in range(place["y"], place["y"] + place["h"]):
            yield x, y
