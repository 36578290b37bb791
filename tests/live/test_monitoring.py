"""Monitoring: figures that add up over all workers, and a readiness that turns in time."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from contract.visitor import write_tree
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
    """What Prometheus and a load balancer would ask."""

    def __init__(self) -> None:
        self.port = free_port()
        self.client = client_of(f"http://127.0.0.1:{self.port}")

    def get(self, path: str) -> httpx.Response:
        """Any path on the port apart."""
        return self.client.get(path, headers=CLOSE)

    def readiness(self) -> int:
        """The status of `/ready`; 0 where nobody answers."""
        with suppress(httpx.TransportError):
            return self.get("/ready").status_code
        return 0

    def figure(self, name: str, **labels: str) -> float:
        """The sum of all samples of a name with these labels."""
        families = text_string_to_metric_families(self.get("/metrics").text)
        samples = [sample for family in families for sample in family.samples]
        fitting = (each for each in samples if labels.items() <= each.labels.items())
        return sum(each.value for each in fitting if each.name == name)


@pytest.fixture
def monitor() -> Iterator[Monitor]:
    """A monitor with a port that nobody listens on yet."""
    asking = Monitor()
    with asking.client:
        yield asking


def ask(server: Server, *paths: str) -> list[int]:
    """The statuses of these paths, each asked for on a connection of its own."""
    with server.client() as client:
        return [client.get(path, headers=CLOSE).status_code for path in paths]


@pytest.mark.parametrize("options", [(), ("--workers", "2")], ids=["alone", "two workers"])
def test_requests_are_counted_by_route_and_status(
    start: Start, monitor: Monitor, options: tuple[str, ...]
) -> None:
    """Whichever process answers, and whether it came from memory."""
    server = start(*options, METRICS_PORT=str(monitor.port))
    missing = [f"{API}/pages/no-such-{number}" for number in range(3)]
    statuses = ask(server, *20 * [f"{API}/pages/page"], *missing, "/nowhere/at/all")
    assert statuses == [*20 * [200], *4 * [404]]
    counted = "majlis_requests_total"
    assert monitor.figure(counted, route=ROUTE, status="200") == 20
    assert monitor.figure(counted, route=ROUTE, status="404") == 3
    assert monitor.figure("majlis_request_seconds_count", route=ROUTE) == 23
    assert monitor.figure("majlis_request_seconds_bucket", route=ROUTE, le="+Inf") == 23
    assert 18 <= monitor.figure("majlis_cache_hits_total") <= 19
    assert monitor.figure("majlis_cache_bytes") > 0
    assert monitor.figure("majlis_content_files") == 2


def test_the_counts_of_workers_that_left_stay(start: Start, monitor: Monitor) -> None:
    """A restart is no step back, which Prometheus would take for a flood of requests."""
    server = start("--workers", "2", METRICS_PORT=str(monitor.port))
    ask(server, *20 * [f"{API}/pages/page"])
    server.process.send_signal(signal.SIGHUP)
    eventually(lambda: server.log.read_text().count(" stopped") == 2, within=START)
    assert monitor.figure("majlis_requests_total", route=ROUTE, status="200") == 20


@pytest.mark.parametrize("options", [(), ("--workers", "2")], ids=["alone", "two workers"])
def test_content_faults_are_counted_by_severity(
    start: Start, monitor: Monitor, options: tuple[str, ...]
) -> None:
    """So that an operator hears of a file that broke; it is one, however many read it."""
    server = start(*options, METRICS_PORT=str(monitor.port))
    before = monitor.figure("majlis_reloads_total")
    server.write("pages/broken.md", "---\ntitle: [\n---\n")
    eventually(lambda: monitor.figure("majlis_content_faults", severity="error") == 1)
    assert monitor.figure("majlis_reloads_total") > before
    assert monitor.figure("majlis_edition_age_seconds") < DEADLINE


@pytest.mark.parametrize("options", [(), ("--workers", "2")], ids=["alone", "two workers"])
def test_leads_are_counted_by_what_came_of_them(
    start: Start, monitor: Monitor, options: tuple[str, ...]
) -> None:
    """Over all workers; one that repeats a lead need not be the one that stored it."""
    server = start(*options, METRICS_PORT=str(monitor.port))
    path = f"{API}/leads"
    with server.client() as client:
        for body in [*6 * [{"email": "noor@example.test"}], {"email": "none"}]:
            client.post(path, json=body, headers=CLOSE)
    counted = "majlis_leads_total"
    assert monitor.figure(counted, channel="api", outcome="stored") == 1
    assert monitor.figure(counted, channel="api", outcome="repeated") == 5
    assert monitor.figure(counted, channel="api", outcome="refused") == 1
    assert monitor.figure(counted) == 7


def test_a_client_that_does_not_wait_is_no_error_of_ours(start: Start, monitor: Monitor) -> None:
    """It counts as 499, so that alarms about 5xx tell of the service alone."""
    server = start(METRICS_PORT=str(monitor.port))
    with server.connect() as connection:
        head = f"POST {API}/leads HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        connection.sendall(f"{head}Content-Length: 100\r\n\r\n{{".encode())
    counted = "majlis_requests_total"
    eventually(lambda: monitor.figure(counted, route=f"{API}/leads", status="499") == 1)
    assert monitor.figure(counted, status="500") == 0


async def test_deliveries_of_all_workers_are_told_once(
    start: Start, monitor: Monitor, postgresql: PostgreSQL
) -> None:
    """By status, as the database that they share has them; attempts add up."""
    database_url = postgresql.new_database()
    number = await take_samples(database_url)
    async with Receiver(*[answers(200)] * (number - 1), answers(410)) as receiver:
        settings = {"ERP_WEBHOOK_URL": receiver.url, "ERP_PULL_API_TOKEN": TOKEN}
        settings |= {"DATABASE_URL": database_url, "METRICS_PORT": str(monitor.port)}
        server = await aside(lambda: start("--workers", "2", **settings))
        assert await aside(lambda: push_everything(server)) == [200] * number
        counted = "majlis_deliveries"
        await aside(lambda: eventually(lambda: monitor.figure(counted) == number))
        told = [
            monitor.figure(counted, status=status) for status in ("pending", "delivered", "failed")
        ]
        attempts = [
            monitor.figure("majlis_delivery_attempts_total", outcome=outcome)
            for outcome in ("delivered", "refused")
        ]
    assert told == [0, number - 1, 1]
    assert attempts == [number - 1, 1]


@pytest.mark.parametrize("options", [(), ("--workers", "2")], ids=["alone", "two workers"])
def test_readiness_turns_before_the_service_stops(
    start: Start, monitor: Monitor, options: tuple[str, ...]
) -> None:
    """The load balancer hears it while requests are still answered; health stays honest."""
    server = start(*options, METRICS_PORT=str(monitor.port), STOP_DELAY_SECONDS="2")
    eventually(lambda: monitor.readiness() == 200)
    server.stop()
    eventually(lambda: monitor.readiness() == 503)
    assert server.client_get(f"{API}/pages/page").status_code == 200
    assert server.client_get(f"{API}/health").status_code == 200
    assert server.process.wait(DEADLINE) == 0


def test_without_content_the_service_is_not_ready(tmp_path: Path, monitor: Monitor) -> None:
    """It runs, and waits for the folder."""
    server = Server(tmp_path / "content", tmp_path, METRICS_PORT=str(monitor.port))
    try:
        eventually(lambda: monitor.readiness() == 503)
        write_tree(tmp_path / "content", {"pages/page.md": PAGE})
        eventually(lambda: monitor.readiness() == 200)
    finally:
        server.kill()


def test_the_two_ports_have_nothing_in_common(start: Start, monitor: Monitor) -> None:
    """The public one tells no figures, the other no content."""
    server = start(METRICS_PORT=str(monitor.port))
    assert server.client_get("/metrics").status_code == 404
    assert monitor.get(f"{API}/pages/page").status_code == 404


def test_a_port_that_is_taken_ends_the_start(start: Start) -> None:
    """With the name of the variable."""
    server = start()
    second = Server(server.content, server.log.parent, METRICS_PORT=str(server.port))
    assert second.process.wait(DEADLINE) == 1
    assert "METRICS_PORT" in second.log.read_text()
