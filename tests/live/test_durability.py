"""Durability: acknowledged leads survive crashes, a full disk and a stop."""

from __future__ import annotations

import json
import random
import resource
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from command_line import run_majlis
from live.senders import Senders
from live.server import Server

pytestmark = [pytest.mark.slow, pytest.mark.load]

Start = Callable[..., Server]
LEADS = "/api/public/v1/leads"
PAGE = "/api/public/v1/pages/page"


def exported(folder: Path, variables: Mapping[str, str] | None = None) -> list[dict[str, str]]:
    """Return all leads from `majlis leads export`, in the order of their receipt.

    Many that are alike come from one network here, so some are in quarantine.
    """
    leads: list[dict[str, str]] = []
    for option in ([], ["--quarantined"]):
        command = ["leads", "export", "--format", "jsonl", *option]
        done = run_majlis(*command, folder=folder, variables=variables)
        assert (done.returncode, done.stderr) == (0, "")
        leads += map(json.loads, done.stdout.splitlines())
    return sorted(leads, key=lambda lead: lead["receivedAt"])


def holds_exactly(leads: list[dict[str, str]], acknowledged: Mapping[str, str]) -> None:
    """Check that every acknowledged lead is stored under its ID, and none twice."""
    ids = {lead["email"]: lead["id"] for lead in leads}
    assert Counter(lead["email"] for lead in leads).most_common(1)[0][1] == 1
    assert {email: ids.get(email) for email in acknowledged} == dict(acknowledged)


def test_no_acknowledged_lead_is_lost_when_the_process_is_killed(
    start: Start, tmp_path: Path
) -> None:
    """By SIGKILL at random moments, with several senders."""
    moments = random.Random(5)
    acknowledged: dict[str, str] = {}
    for _ in range(3):
        server = start()
        senders = Senders(server.url)
        with senders.sending():
            senders.wait_for(moments.randint(5, 60))
            server.kill()
        acknowledged |= senders.acknowledged
    assert len(acknowledged) >= 15
    holds_exactly(exported(tmp_path), acknowledged)


def test_leads_are_refused_while_the_disk_is_full(start: Start, tmp_path: Path) -> None:
    """With 503; pages are served, and the service recovers without a restart."""
    server = start()
    with server.client() as client:

        def send(number: int) -> int:
            body = {"email": f"a{number}@b.test", "message": "x" * 4_000}
            reply = client.post(LEADS, json=body)
            assert reply.status_code != 503 or int(reply.headers["Retry-After"]) > 0
            return reply.status_code

        assert send(0) == 200
        before = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (8_192, before[1]))
        statuses = [send(number) for number in range(1, 4)]
        assert statuses == [503] * 3
        assert client.get(PAGE).status_code == 200
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, before)
        assert send(4) == 200
    assert [lead["email"] for lead in exported(tmp_path)] == ["a0@b.test", "a4@b.test"]


def test_a_retry_after_a_crash_creates_no_second_lead(start: Start, tmp_path: Path) -> None:
    """The idempotency key is stored in the transaction of the lead."""
    body, key = {"email": "a@b.test"}, {"Idempotency-Key": "k", "X-Forwarded-For": "198.51.100.1"}
    ids = set()
    for _ in range(2):
        server = start()
        with server.client() as client:
            reply = client.post(LEADS, json=body, headers=key)
            ids.add(reply.json()["id"])
        server.kill()
    assert {lead["id"] for lead in exported(tmp_path)} == ids
    assert len(ids) == 1


def test_leads_in_progress_at_a_stop_are_stored(start: Start, tmp_path: Path) -> None:
    """A stop loses no lead, and refuses no request that was accepted."""
    server = start()
    senders = Senders(server.url)
    with senders.sending():
        senders.wait_for(20)
        server.stop()
        server.process.wait(30)
    assert senders.statuses == {200}
    holds_exactly(exported(tmp_path), senders.acknowledged)
