"""Durability: what was acknowledged is on the disk, whatever happens next."""

from __future__ import annotations

import json
import random
import resource
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from live.senders import Senders
from live.server import Server, majlis

pytestmark = pytest.mark.load

Start = Callable[..., Server]
LEADS = "/api/public/v1/leads"
PAGE = "/api/public/v1/pages/page"


def exported(folder: Path, variables: Mapping[str, str] | None = None) -> list[dict[str, str]]:
    """All leads, as the operator gets them."""
    done = majlis("leads", "export", "--format", "jsonl", folder=folder, variables=variables)
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def holds_exactly(found: list[dict[str, str]], acknowledged: Mapping[str, str]) -> None:
    """Every acknowledged lead is there, under its id, and no lead is there twice."""
    ids = {each["email"]: each["id"] for each in found}
    assert Counter(each["email"] for each in found).most_common(1)[0][1] == 1
    assert {email: ids.get(email) for email in acknowledged} == dict(acknowledged)


def test_no_acknowledged_lead_is_lost_when_the_process_is_killed(
    start: Start, tmp_path: Path
) -> None:
    """SIGKILL at random moments, while several send."""
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


def test_a_full_disk_is_a_503_until_there_is_room(start: Start, tmp_path: Path) -> None:
    """Nothing is acknowledged that is not stored; pages are served; no restart is needed."""
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
    assert [each["email"] for each in exported(tmp_path)] == ["a0@b.test", "a4@b.test"]


def test_a_retry_after_a_crash_is_no_second_lead(start: Start, tmp_path: Path) -> None:
    """The key is stored with the lead, so both are there or neither."""
    body, key = {"email": "a@b.test"}, {"Idempotency-Key": "k", "X-Forwarded-For": "198.51.100.1"}
    ids = set()
    for _ in range(2):
        server = start()
        with server.client() as client:
            reply = client.post(LEADS, json=body, headers=key)
            ids.add(reply.json()["id"])
        server.kill()
    assert {each["id"] for each in exported(tmp_path)} == ids
    assert len(ids) == 1


def test_what_is_under_way_at_a_stop_is_stored(start: Start, tmp_path: Path) -> None:
    """A stop loses nothing, and refuses nothing that it has taken."""
    server = start()
    senders = Senders(server.url)
    with senders.sending():
        senders.wait_for(20)
        server.stop()
        server.process.wait(30)
    assert senders.statuses == {200}
    holds_exactly(exported(tmp_path), senders.acknowledged)
