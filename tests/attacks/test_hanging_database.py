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


def test_leads_are_refused_soon_and_taken_again_at_once(
    start: Start, variables: dict[str, str], postgresql: PostgreSQL, tmp_path: Path
) -> None:
    """All within seconds; pages go on; one line of log each way; none is stored twice."""
    metrics = free_port()
    server = start(**variables, METRICS_PORT=str(metrics))
    assert set(send_many(server, "before")) == {200}
    with postgresql.suspended():
        began = monotonic()
        assert set(send_many(server, "first")) == {503}
        first_seconds = monotonic() - began
        began = monotonic()
        assert set(send_many(server, "again")) == {503}
        assert server.client_get("/api/public/v1/pages/page").status_code == 200
        again_seconds = monotonic() - began
        told = httpx.get(f"http://127.0.0.1:{metrics}/metrics").text
        assert 'majlis_store_away{store="database"} 1.0' in told
    assert first_seconds < 8
    assert again_seconds < 5
    eventually(lambda: send(server, "first1@b.test") == 200)
    assert set(send_many(server, "first")) == {200}
    found = [each["email"] for each in exported(tmp_path, variables)]
    assert len(found) == len(set(found))
    assert {f"first{n}@b.test" for n in range(AT_ONCE)} <= set(found)
    log = server.log.read_text()
    assert log.count("The database cannot answer") == 1
    assert log.count("The database answers again") == 1


def test_a_stop_does_not_wait_for_it(
    start: Start, variables: dict[str, str], postgresql: PostgreSQL
) -> None:
    """Also with all that looks at the database in the background."""
    background = {
        "METRICS_PORT": str(free_port()),
        "ERP_WEBHOOK_URL": "http://127.0.0.1:9/orders",
        "ERP_PULL_API_TOKEN": TOKEN,
        "LEAD_RETENTION_DAYS": "30",
    }
    server = start(**variables, **background)
    assert set(send_many(server, "before")) == {200}
    with postgresql.suspended():
        assert set(send_many(server, "hanging")) == {503}
        server.stop()
        stopped_after = eventually(lambda: server.process.poll() is not None, within=60)
    assert stopped_after < 10
    assert server.process.returncode == 0
    assert "Traceback" not in server.log.read_text()


def test_a_stop_that_comes_before_anybody_noticed_does_not_wait_either(
    start: Start, variables: dict[str, str], postgresql: PostgreSQL
) -> None:
    """Its idle connections cannot be closed politely."""
    server = start(**variables)
    assert set(send_many(server, "before")) == {200}
    with postgresql.suspended():
        server.stop()
        stopped_after = eventually(lambda: server.process.poll() is not None, within=60)
    assert stopped_after < 10
    assert "Traceback" not in server.log.read_text()


def test_partners_are_refused_soon_and_nothing_piles_up(
    start: Start, variables: dict[str, str], postgresql: PostgreSQL
) -> None:
    """A request holds no connection once it is answered, however many have come."""
    server = start(**variables, ERP_PULL_API_TOKEN=TOKEN)
    with server.client() as client, postgresql.suspended():
        client.headers.update(BEARER)
        began = monotonic()
        statuses = [client.get("/api/orders").status_code for _ in range(5)]
        before = open_files(server.process.pid)
        statuses += [client.get("/api/orders").status_code for _ in range(60)]
        seconds = monotonic() - began
        after = open_files(server.process.pid)
    assert set(statuses) == {503}
    assert seconds < 10
    assert after <= before + 3
