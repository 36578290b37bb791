"""Deliveries of `majlis serve`: several instances share one outbox, and an operator looks on."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from live.server import Server, eventually, majlis
from storefront.receiver import Receiver, answers
from storefront.shop import BEARER, SECRET, TOKEN

from app.settings import SAMPLE_CONTENT

SAMPLE = str(SAMPLE_CONTENT / "_orders" / "sample.jsonl")


def variables(database_url: str, receiver: Receiver | None = None) -> dict[str, str]:
    """The settings of a shop."""
    webhook = {"ERP_WEBHOOK_URL": receiver.url} if receiver else {}
    return {
        "DATABASE_URL": database_url,
        "ERP_PULL_API_TOKEN": TOKEN,
        "ERP_WEBHOOK_SECRET": SECRET,
        **webhook,
    }


async def aside(work: Callable[[], Any]) -> Any:
    """Do what blocks beside the receiver, which answers meanwhile."""
    return await asyncio.to_thread(work)


def push_everything(server: Server) -> list[int]:
    """Push every order; the statuses of the answers."""
    with httpx.Client(base_url=server.url, headers=BEARER, timeout=30) as client:
        orders = client.get("/api/orders").json()["orders"]
        return [client.post(f"/api/erp/orders/{order['id']}/push").status_code for order in orders]


async def test_two_instances_deliver_everything_and_nothing_twice_at_once(
    database: object, database_url: str, start: Callable[..., Server], tmp_path: Path
) -> None:
    """The first attempts fail; both instances then find all of them due, and share them."""
    done = majlis("orders", "import", SAMPLE, folder=tmp_path, variables=variables(database_url))
    assert done.stdout == "16 new, 0 changed, 0 unchanged, 0 refused\n"
    script = [answers(503)] * 16 + [answers(200)]
    async with Receiver(*script) as receiver:
        settings = variables(database_url, receiver)
        one = await aside(lambda: start(**settings))
        await aside(lambda: start(**settings))
        assert await aside(lambda: push_everything(one)) == [202] * 16
        await aside(lambda: eventually(lambda: len(receiver.received) >= 32, within=30))
    sent = Counter(request.webhook_id for request in receiver.received)
    assert (len(sent), set(sent.values())) == (16, {2})
    bodies = {request.webhook_id: request.body for request in receiver.received}
    assert all(bodies[request.webhook_id] == request.body for request in receiver.received)


async def test_an_operator_sees_what_failed_and_sends_it_again(
    database: object, database_url: str, start: Callable[..., Server], tmp_path: Path
) -> None:
    """`majlis deliveries` beside a running service."""
    known = variables(database_url)

    def command(*words: str) -> str:
        done = majlis(*words, folder=tmp_path, variables=known)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    await aside(lambda: command("orders", "import", SAMPLE))
    async with Receiver(answers(410), answers(200)) as receiver:
        server = await aside(lambda: start(**variables(database_url, receiver)))
        await aside(lambda: httpx.post(f"{server.url}/api/erp/orders/3/push", headers=BEARER))
        listed = await aside(lambda: command("deliveries", "list", "--status", "failed"))
        delivery_id = listed.splitlines()[1].split()[0]
        shown = await aside(lambda: command("deliveries", "show", delivery_id))
        assert "the receiver answered 410" in shown
        replayed = await aside(lambda: command("deliveries", "replay", "--failed"))
        assert replayed == f"{delivery_id} of order WH-10234 is sent again.\n"
        await aside(lambda: eventually(lambda: len(receiver.received) == 2))
        await aside(
            lambda: eventually(lambda: "delivered" in command("deliveries", "show", delivery_id))
        )
        body = await aside(lambda: command("deliveries", "show", delivery_id, "--body"))
    assert body.strip().encode() == receiver.received[1].body
    assert {request.webhook_id for request in receiver.received} == {delivery_id}


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        pytest.param("ERP_WEBHOOK_URL", "ftp://x", "write an absolute URL", id="url"),
        pytest.param("ERP_WEBHOOK_SECRET", "hunter2", "write whsec_ and base64", id="secret"),
        pytest.param("ERP_PULL_API_TOKEN", "two words", "without spaces", id="token"),
    ],
)
def test_a_wrong_setting_is_named_and_its_value_is_not_told(
    tmp_path: Path, name: str, value: str, told: str
) -> None:
    """All three are secrets."""
    done = majlis("serve", folder=tmp_path, variables={name: value})
    assert done.returncode == 1
    assert name in done.stderr
    assert told in done.stderr
    assert value not in done.stderr
