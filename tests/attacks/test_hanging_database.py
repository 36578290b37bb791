"""A hanging PostgreSQL: its suspended processes accept connections but never answer."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic

import httpx
import pytest
from command_line import run_majlis
from live.processes import open_files
from live.server import Server, eventually, free_port
from live.test_durability import exported
from storefront.shop import BEARER, TOKEN
from stores.postgresql import PostgreSQL

pytestmark = pytest.mark.slow

Start = Callable[..., Server]
LEADS = "/api/public/v1/leads"
AT_ONCE = 25


@pytest.fixture
def variables(postgresql: PostgreSQL, tmp_path: Path) -> dict[str, str]:
    """The settings of a service with its own PostgreSQL database."""
    chosen = {"DATABASE_URL": postgresql.new_database()}
    assert run_majlis("db", "upgrade", folder=tmp_path, variables=chosen).returncode == 0
    return chosen


def send(server: Server, email: str) -> int:
    """Send a lead, and return the status."""
    with server.client() as client:
        return client.post(LEADS, json={"email": email}).status_code


def send_many(server: Server, run: str) -> list[int]:
    """Send leads of different visitors at the same time, and return the statuses."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(lambda n: send(server, f"{run}{n}@b.test"), range(AT_ONCE)))


def test_neither_requests_nor_a_stop_wait_for_a_hanging_database(
    start: Start, variables: dict[str, str], postgresql: PostgreSQL, tmp_path: Path
) -> None:
    """Requests are refused quickly, no connections accumulate, and recovery is immediate."""
    metrics = free_port()
    background = {
        "METRICS_PORT": str(metrics),
        "ERP_WEBHOOK_URL": "http://127.0.0.1:9/orders",
        "ERP_PULL_API_TOKEN": TOKEN,
        "LEAD_RETENTION_DAYS": "30",
    }
    server = start(**variables, **background)
    assert set(send_many(server, "before")) == {200}
    with postgresql.suspended():
        began = monotonic()
        assert set(send_many(server, "first")) == {503}
        first_seconds = monotonic() - began
        began, files = monotonic(), open_files(server.process.pid)
        assert set(send_many(server, "again")) == {503}
        with server.client() as client:
            statuses = {client.get("/api/orders", headers=BEARER).status_code for _ in range(30)}
            assert statuses == {503}
            assert client.get("/api/public/v1/pages/page").status_code == 200
        again_seconds = monotonic() - began
        more_files = open_files(server.process.pid) - files
        exposition = httpx.get(f"http://127.0.0.1:{metrics}/metrics").text
        assert 'majlis_store_away{store="database"} 1.0' in exposition
    assert first_seconds < 8
    assert again_seconds < 8
    assert more_files < 5
    eventually(lambda: send(server, "first1@b.test") == 200)
    assert set(send_many(server, "first")) == {200}
    emails = [lead["email"] for lead in exported(tmp_path, variables)]
    assert len(emails) == len(set(emails))
    assert {f"first{n}@b.test" for n in range(AT_ONCE)} <= set(emails)
    log = server.log.read_text()
    times = log.count("Database unavailable")
    assert log.count("The database is available again") == times
    assert times in (1, 2)  # a very busy machine can look like a hanging database
    with postgresql.suspended():
        assert send(server, "last@b.test") == 503
        assert stopped_after(server) < 10


def test_a_stop_does_not_wait_before_the_hang_is_detected(
    start: Start, variables: dict[str, str], postgresql: PostgreSQL
) -> None:
    """Idle connections to the database cannot be closed gracefully."""
    server = start(**variables)
    assert set(send_many(server, "before")) == {200}
    with postgresql.suspended():
        assert stopped_after(server) < 10


def stopped_after(server: Server) -> float:
    """Stop the server, check that it exits cleanly, and return the seconds that it took."""
    server.stop()
    seconds = eventually(lambda: server.process.poll() is not None, within=60)
    assert server.process.returncode == 0
    assert "Traceback" not in server.log.read_text()
    return seconds
