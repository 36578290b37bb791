"""Leads reach their receiver although every process dies before it could send them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from live.fixtures import small_tree
from live.orders import aside
from live.server import Server, eventually, free_port
from storefront.receiver import Receiver

pytestmark = pytest.mark.slow

LEADS = 12


async def test_every_lead_is_told_after_all_processes_were_killed(tmp_path: Path) -> None:
    """Each once, by two workers that share the outbox."""
    content = small_tree(tmp_path / "content")
    database = f"sqlite:///{tmp_path}/majlis.db"
    settings = {"DATABASE_URL": database, "LEADS_WEBHOOK_URL": f"http://127.0.0.1:{free_port()}/"}
    with Server(content, tmp_path, **settings) as server:
        ids = await aside(lambda: [_post(server, number) for number in range(LEADS)])
        server.kill()
    async with Receiver() as receiver:
        settings["LEADS_WEBHOOK_URL"] = receiver.url
        with Server(content, tmp_path, "--port", str(free_port()), "--workers", "2", **settings):
            await aside(lambda: eventually(lambda: len(receiver.received) >= LEADS, within=60))
    told = [json.loads(request.body)["data"]["lead"]["id"] for request in receiver.received]
    assert sorted(told) == sorted(ids)
    assert len({request.webhook_id for request in receiver.received}) == LEADS


def _post(server: Server, number: int) -> str:
    with server.client() as client:
        sent = {"email": f"noor{number}@example.com", "message": "May we see the POS?"}
        reply = client.post("/api/public/v1/leads", json=sent)
    assert reply.status_code == 200
    return str(reply.json()["id"])
