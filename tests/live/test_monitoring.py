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
from live.fixtures import PAGE, small_tree
from live.orders import aside, push_everything, take_samples
from live.server import DEADLINE, START, Server, client_of, eventually, free_port, majlis
from prometheus_client.parser import text_string_to_metric_families
from storefront.receiver import Receiver, answers
from storefront.shop import TOKEN
from stores.postgresql import PostgreSQL

pytestmark = pytest.mark.slow

API = "/api/public/v1"
CLOSE = {"Connection": "close"}
ROUTE = f"{API}/pages/<slug>"
WORKERS = ("--workers", "2")


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

    def growth(self, name: str, **labels: str) -> Callable[[], float]:
        """Return a function that tells by how much such a sum has grown after this call."""
        before = self.metric(name, **labels)
        return lambda: self.metric(name, **labels) - before


class Watched(Server):
    """A service with a monitor."""

    def __init__(self, content: Path, work: Path, *options: str, **variables: str) -> None:
        self.monitor = Monitor()
        super().__init__(content, work, *options, METRICS_PORT=str(self.monitor.port), **variables)

    def __exit__(self, *_: object) -> None:
        self.monitor.client.close()
        super().__exit__()


def lasting(work: Path, *options: str) -> Watched:
    """Start a service for tests that look at what they add; the last one stops it.

    Its indexes are there: while new ones are put in use, a response is made and not kept.
    """
    content = small_tree(work / "content")
    made = majlis("index", folder=work, variables={"CONTENT_DIR": str(content)})
    assert made.returncode == 0, made.stderr
    return Watched(content, work, *options, STOP_DELAY_SECONDS="2")


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """A service of one process."""
    with lasting(tmp_path_factory.mktemp("alone")) as server:
        yield server


@pytest.fixture(scope="module")
def two_workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """A service with two workers."""
    with lasting(tmp_path_factory.mktemp("workers"), *WORKERS) as server:
        yield server


@pytest.fixture(params=["alone", "two_workers"])
def watched(request: pytest.FixtureRequest) -> Watched:
    """Each of both."""
    server: Watched = request.getfixturevalue(request.param)
    return server


def ask(server: Server, *paths: str) -> list[int]:
    """Request each path on a new connection, and return the statuses."""
    with server.client() as client:
        return [client.get(path, headers=CLOSE).status_code for path in paths]


def test_requests_are_counted_by_route_and_status(watched: Watched) -> None:
    """In all processes, and also for cached responses."""
    growth, timed = watched.monitor.growth, "majlis_request_seconds"
    grown = [
        growth("majlis_requests_total", route=ROUTE, status="200"),
        growth("majlis_requests_total", route=ROUTE, status="404"),
        growth(f"{timed}_count", route=ROUTE),
        growth(f"{timed}_bucket", route=ROUTE, le="+Inf"),
    ]
    hits = growth("majlis_cache_hits_total")
    missing = [f"{API}/pages/no-such-{number}" for number in range(3)]
    statuses = ask(watched, *20 * [f"{API}/pages/page"], *missing, "/nowhere/at/all")
    assert statuses == [*20 * [200], *4 * [404]]
    assert [each() for each in grown] == [20, 3, 23, 23]
    assert 18 <= hits() <= 19
    assert watched.monitor.metric("majlis_cache_bytes") > 0
    assert watched.monitor.metric("majlis_content_files") == len(SLUGS) + 2


def test_the_counts_of_stopped_workers_are_kept(two_workers: Watched) -> None:
    """Counters must not decrease, which Prometheus would interpret as a reset."""
    found = two_workers.monitor.growth("majlis_requests_total", route=ROUTE, status="200")
    ask(two_workers, *20 * [f"{API}/pages/page?country=om"])
    two_workers.process.send_signal(signal.SIGHUP)
    eventually(lambda: two_workers.log.read_text().count(" stopped") == 2, within=START)
    assert found() == 20


def test_content_faults_are_counted_by_severity(watched: Watched) -> None:
    """A broken file counts once, independent of the number of workers, until it is gone."""
    reloads = watched.monitor.growth("majlis_reloads_total")

    def faults() -> float:
        return watched.monitor.metric("majlis_content_faults", severity="error")

    watched.write("pages/broken.md", "---\ntitle: [\n---\n")
    eventually(lambda: faults() == 1)
    assert reloads() > 0
    assert watched.monitor.metric("majlis_edition_age_seconds") < DEADLINE
    watched.delete("pages/broken.md")
    eventually(lambda: faults() == 0)


def test_leads_are_counted_by_outcome(watched: Watched) -> None:
    """Over all workers; a repeated lead may reach another worker than the first one."""
    with watched.client() as client:
        for body in [*6 * [{"email": "noor@example.test"}], {"email": "none"}]:
            client.post(f"{API}/leads", json=body, headers=CLOSE)
    counted, monitor = "majlis_leads_total", watched.monitor
    assert monitor.metric(counted, channel="api", outcome="stored") == 1
    assert monitor.metric(counted, channel="api", outcome="repeated") == 5
    assert monitor.metric(counted, channel="api", outcome="refused") == 1
    assert monitor.metric(counted) == 7


def test_a_disconnected_client_counts_as_499(alone: Watched) -> None:
    """It is not counted as 5xx, so that alerts on 5xx concern only the service."""
    with alone.connect() as connection:
        head = f"POST {API}/leads HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        connection.sendall(f"{head}Content-Length: 100\r\n\r\n{{".encode())
    counted, monitor = "majlis_requests_total", alone.monitor
    eventually(lambda: monitor.metric(counted, route=f"{API}/leads", status="499") == 1)
    assert monitor.metric(counted, status="500") == 0


async def test_deliveries_of_all_workers_are_counted_once(
    tmp_path: Path, postgresql: PostgreSQL
) -> None:
    """By status, from the common database; attempts are summed."""
    database_url = postgresql.new_database()
    number = await take_samples(database_url)
    counted = "majlis_deliveries"
    async with Receiver(*[answers(200)] * (number - 1), answers(410)) as receiver:
        settings = {"ERP_WEBHOOK_URL": receiver.url, "ERP_PULL_API_TOKEN": TOKEN}
        settings |= {"DATABASE_URL": database_url}

        def run() -> tuple[list[float], list[float]]:
            folder = small_tree(tmp_path / "content")
            with Watched(folder, tmp_path, *WORKERS, **settings) as server:
                assert push_everything(server) == [200] * number
                metric = server.monitor.metric
                eventually(lambda: metric(counted) == number)
                return (
                    [metric(counted, status=each) for each in ("pending", "delivered", "failed")],
                    [
                        metric("majlis_delivery_attempts_total", outcome=each)
                        for each in ("delivered", "refused")
                    ],
                )

        deliveries, attempts = await aside(run)
    assert deliveries == [0, number - 1, 1]
    assert attempts == [number - 1, 1]


def test_without_content_the_service_is_not_ready(tmp_path: Path) -> None:
    """It runs, and becomes ready when the folder appears."""
    with Watched(tmp_path / "content", tmp_path) as server:
        eventually(lambda: server.monitor.readiness() == 503)
        write_tree(tmp_path / "content", {"pages/page.md": PAGE})
        eventually(lambda: server.monitor.readiness() == 200)


def test_the_ports_are_separate(alone: Watched) -> None:
    """The public port has no metrics, the monitoring port no content."""
    assert alone.client_get("/metrics").status_code == 404
    assert alone.monitor.get(f"{API}/pages/page").status_code == 404


def test_a_metrics_port_in_use_prevents_the_start(alone: Watched, tmp_path: Path) -> None:
    """With a message that names the setting."""
    second = Server(alone.content, tmp_path, METRICS_PORT=str(alone.port))
    assert second.process.wait(DEADLINE) == 1
    assert "METRICS_PORT" in second.log.read_text()


def test_the_service_is_not_ready_before_it_stops(watched: Watched) -> None:
    """Requests are still answered during STOP_DELAY_SECONDS, and health stays 200."""
    eventually(lambda: watched.monitor.readiness() == 200)
    watched.stop()
    eventually(lambda: watched.monitor.readiness() == 503)
    assert watched.client_get(f"{API}/pages/page").status_code == 200
    assert watched.client_get(f"{API}/health").status_code == 200
    assert watched.process.wait(DEADLINE) == 0
