"""A PostgreSQL that hangs: its processes are stopped, so that connections open and none answers."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic

import httpx
import pytest
from live.processes import open_files
from live.server import Server, eventually, free_port, majlis
from live.test_durability import exported
from storefront.shop import BEARER, TOKEN
from stores.postgresql import PostgreSQL

Start = Callable[..., Server]
LEADS = "/api/public/v1/leads"
AT_ONCE = 25


@pytest.fixture
def variables(postgresql: PostgreSQL, tmp_path: Path) -> dict[str, str]:
    """The settings of a service over a PostgreSQL of its own."""
    chosen = {"DATABASE_URL": postgresql.new_database()}
    assert majlis("db", "upgrade", folder=tmp_path, variables=chosen).returncode == 0
    return chosen


def send(server: Server, email: str) -> int:
    """The status of one lead."""
    with server.client() as client:
        return client.post(LEADS, json={"email": email}).status_code


def send_many(server: Server, run: str) -> list[int]:
    """The statuses of leads of different visitors, all sent at the same time."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(lambda n: send(server, f"{run}{n}@b.test"), range(AT_ONCE)))


def test_nobody_waits_for_it_and_a_stop_does_not_either(
    start: Start, variables: dict[str, str], postgresql: PostgreSQL, tmp_path: Path
) -> None:
    """Leads and partners are refused soon; nothing piles up; all is well at once afterwards."""
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
        told = httpx.get(f"http://127.0.0.1:{metrics}/metrics").text
        assert 'majlis_store_away{store="database"} 1.0' in told
    assert first_seconds < 8
    assert again_seconds < 8
    assert more_files < 5
    eventually(lambda: send(server, "first1@b.test") == 200)
    assert set(send_many(server, "first")) == {200}
    found = [each["email"] for each in exported(tmp_path, variables)]
    assert len(found) == len(set(found))
    assert {f"first{n}@b.test" for n in range(AT_ONCE)} <= set(found)
    log = server.log.read_text()
    times = log.count("Database unavailable")
    assert log.count("The database is available again") == times
    assert times in (1, 2)  # a machine that is very busy may look like a database that hangs
    with postgresql.suspended():
        assert send(server, "last@b.test") == 503
        assert stopped_after(server) < 10


def test_a_stop_that_comes_before_anybody_noticed_does_not_wait_either(
    start: Start, variables: dict[str, str], postgresql: PostgreSQL
) -> None:
    """Its idle connections cannot be closed politely."""
    server = start(**variables)
    assert set(send_many(server, "before")) == {200}
    with postgresql.suspended():
        assert stopped_after(server) < 10


def stopped_after(server: Server) -> float:
    """Stop it; the seconds that took. It ends as it should."""
    server.stop()
    seconds = eventually(lambda: server.process.poll() is not None, within=60)
    assert server.process.returncode == 0
    assert "Traceback" not in server.log.read_text()
    return seconds
