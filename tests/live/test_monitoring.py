"""Monitoring: metrics summed over all workers, and readiness during start and stop."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from contract.visitor import write_tree
from gulf import SLUGS
from live.fixtures import PAGE
from live.orders import aside, push_everything, take_samples
from live.server import DEADLINE, START, Server, client_of, eventually, free_port
from prometheus_client.parser import text_string_to_metric_families
from storefront.receiver import Receiver, answers
from storefront.shop import TOKEN
from stores.postgresql import PostgreSQL

pytestmark = pytest.mark.slow

API = "/api/public/v1"
CLOSE = {"Connection": "close"}
ROUTE = f"{API}/pages/<slug>"

Start = Callable[..., Server]


class Monitor:
    """A client of the monitoring port, as Prometheus and a load balancer use it."""

    def __init__(self) -> None:
        self.port = free_port()
        self.client = client_of(f"http://127.0.0.1:{self.port}")

    def get(self, path: str) -> httpx.Response:
        """Request a path on the monitoring port."""
        return self.client.get(path, headers=CLOSE)

    def readiness(self) -> int:
        """Return the status of `/ready`, 0 if the port is closed."""
        with suppress(httpx.TransportError):
            return self.get("/ready").status_code
        return 0

    def metric(self, name: str, **labels: str) -> float:
        """Return the sum of all samples with this name and these labels."""
        families = text_string_to_metric_families(self.get("/metrics").text)
        samples = [sample for family in families for sample in family.samples]
        matches = (sample for sample in samples if labels.items() <= sample.labels.items())
        return sum(sample.value for sample in matches if sample.name == name)


@pytest.fixture
def monitor() -> Iterator[Monitor]:
    """A monitor for a free port."""
    asking = Monitor()
    with asking.client:
        yield asking


def ask(server: Server, *paths: str) -> list[int]:
    """Request each path on a new connection, and return the statuses."""
    with server.client() as client:
        return [client.get(path, headers=CLOSE).status_code for path in paths]


@pytest.mark.parametrize("options", [(), ("--workers", "2")], ids=["alone", "two workers"])
def test_requests_are_counted_by_route_and_status(
    start: Start, monitor: Monitor, options: tuple[str, ...]
) -> None:
    """In all processes, and also for cached responses."""
    server = start(*options, METRICS_PORT=str(monitor.port))
    missing = [f"{API}/pages/no-such-{number}" for number in range(3)]
    statuses = ask(server, *20 * [f"{API}/pages/page"], *missing, "/nowhere/at/all")
    assert statuses == [*20 * [200], *4 * [404]]
    counted = "majlis_requests_total"
    assert monitor.metric(counted, route=ROUTE, status="200") == 20
    assert monitor.metric(counted, route=ROUTE, status="404") == 3
    assert monitor.metric("majlis_request_seconds_count", route=ROUTE) == 23
    assert monitor.metric("majlis_request_seconds_bucket", route=ROUTE, le="+Inf") == 23
    assert 18 <= monitor.metric("majlis_cache_hits_total") <= 19
    assert monitor.metric("majlis_cache_bytes") > 0
    assert monitor.metric("majlis_content_files") == len(SLUGS) + 2


def test_the_counts_of_stopped_workers_are_kept(start: Start, monitor: Monitor) -> None:
    """Counters must not decrease, which Prometheus would interpret as a reset."""
    server = start("--workers", "2", METRICS_PORT=str(monitor.port))
    ask(server, *20 * [f"{API}/pages/page"])
    server.process.send_signal(signal.SIGHUP)
    eventually(lambda: server.log.read_text().count(" stopped") == 2, within=START)
    assert monitor.metric("majlis_requests_total", route=ROUTE, status="200") == 20


@pytest.mark.parametrize("options", [(), ("--workers", "2")], ids=["alone", "two workers"])
def test_content_faults_are_counted_by_severity(
    start: Start, monitor: Monitor, options: tuple[str, ...]
) -> None:
    """A broken file counts once, independent of the number of workers."""
    server = start(*options, METRICS_PORT=str(monitor.port))
    before = monitor.metric("majlis_reloads_total")
    server.write("pages/broken.md", "---\ntitle: [\n---\n")
    eventually(lambda: monitor.metric("majlis_content_faults", severity="error") == 1)
    assert monitor.metric("majlis_reloads_total") > before
    assert monitor.metric("majlis_edition_age_seconds") < DEADLINE


@pytest.mark.parametrize("options", [(), ("--workers", "2")], ids=["alone", "two workers"])
def test_leads_are_counted_by_outcome(
    start: Start, monitor: Monitor, options: tuple[str, ...]
) -> None:
    """Over all workers; a repeated lead may reach another worker than the first one."""
    server = start(*options, METRICS_PORT=str(monitor.port))
    path = f"{API}/leads"
    with server.client() as client:
        for body in [*6 * [{"email": "noor@example.test"}], {"email": "none"}]:
            client.post(path, json=body, headers=CLOSE)
    counted = "majlis_leads_total"
    assert monitor.metric(counted, channel="api", outcome="stored") == 1
    assert monitor.metric(counted, channel="api", outcome="repeated") == 5
    assert monitor.metric(counted, channel="api", outcome="refused") == 1
    assert monitor.metric(counted) == 7


def test_a_disconnected_client_counts_as_499(start: Start, monitor: Monitor) -> None:
    """It is not counted as 5xx, so that alerts on 5xx concern only the service."""
    server = start(METRICS_PORT=str(monitor.port))
    with server.connect() as connection:
        head = f"POST {API}/leads HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        connection.sendall(f"{head}Content-Length: 100\r\n\r\n{{".encode())
    counted = "majlis_requests_total"
    eventually(lambda: monitor.metric(counted, route=f"{API}/leads", status="499") == 1)
    assert monitor.metric(counted, status="500") == 0


async def test_deliveries_of_all_workers_are_counted_once(
    start: Start, monitor: Monitor, postgresql: PostgreSQL
) -> None:
    """By status, from the common database; attempts are summed."""
    database_url = postgresql.new_database()
    number = await take_samples(database_url)
    async with Receiver(*[answers(200)] * (number - 1), answers(410)) as receiver:
        settings = {"ERP_WEBHOOK_URL": receiver.url, "ERP_PULL_API_TOKEN": TOKEN}
        settings |= {"DATABASE_URL": database_url, "METRICS_PORT": str(monitor.port)}
        server = await aside(lambda: start("--workers", "2", **settings))
        assert await aside(lambda: push_everything(server)) == [200] * number
        counted = "majlis_deliveries"
        await aside(lambda: eventually(lambda: monitor.metric(counted) == number))
        deliveries = [
            monitor.metric(counted, status=status) for status in ("pending", "delivered", "failed")
        ]
        attempts = [
            monitor.metric("majlis_delivery_attempts_total", outcome=outcome)
            for outcome in ("delivered", "refused")
        ]
    assert deliveries == [0, number - 1, 1]
    assert attempts == [number - 1, 1]


@pytest.mark.parametrize("options", [(), ("--workers", "2")], ids=["alone", "two workers"])
def test_the_service_is_not_ready_before_it_stops(
    start: Start, monitor: Monitor, options: tuple[str, ...]
) -> None:
    """Requests are still answered during STOP_DELAY_SECONDS, and health stays 200."""
    server = start(*options, METRICS_PORT=str(monitor.port), STOP_DELAY_SECONDS="2")
    eventually(lambda: monitor.readiness() == 200)
    server.stop()
    eventually(lambda: monitor.readiness() == 503)
    assert server.client_get(f"{API}/pages/page").status_code == 200
    assert server.client_get(f"{API}/health").status_code == 200
    assert server.process.wait(DEADLINE) == 0


def test_without_content_the_service_is_not_ready(tmp_path: Path, monitor: Monitor) -> None:
    """It runs, and becomes ready when the folder appears."""
    server = Server(tmp_path / "content", tmp_path, METRICS_PORT=str(monitor.port))
    try:
        eventually(lambda: monitor.readiness() == 503)
        write_tree(tmp_path / "content", {"pages/page.md": PAGE})
        eventually(lambda: monitor.readiness() == 200)
    finally:
        server.kill()


def test_the_ports_are_separate(start: Start, monitor: Monitor) -> None:
    """The public port has no metrics, the monitoring port no content."""
    server = start(METRICS_PORT=str(monitor.port))
    assert server.client_get("/metrics").status_code == 404
    assert monitor.get(f"{API}/pages/page").status_code == 404


def test_a_metrics_port_in_use_prevents_the_start(start: Start) -> None:
    """With a message that names the setting."""
    server = start()
    second = Server(server.content, server.log.parent, METRICS_PORT=str(server.port))
    assert second.process.wait(DEADLINE) == 1
    assert "METRICS_PORT" in second.log.read_text()
