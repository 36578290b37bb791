"""Two instances of `majlis serve` over one PostgreSQL share its outbox."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any

import httpx
from live.server import Server, eventually
from storefront.receiver import Receiver, answers
from storefront.shop import BEARER, SECRET, TOKEN
from stores.postgresql import PostgreSQL

from app.database.database import Database
from app.factory import utc_now
from app.orders.intake import Taken, read_lines
from app.orders.store import OrderStore
from app.settings import SAMPLE_CONTENT

SAMPLE = SAMPLE_CONTENT / "_orders" / "sample.jsonl"


async def aside(work: Callable[[], Any]) -> Any:
    """Do what blocks beside the receiver, which answers meanwhile."""
    return await asyncio.to_thread(work)


async def take_samples(database_url: str) -> int:
    """Take the sample orders in; how many they are."""
    async with Database(database_url) as database:
        await database.upgrade()
        store = OrderStore(database, utc_now)
        lines = list(read_lines(SAMPLE.read_bytes().splitlines()))
        for line in lines:
            assert isinstance(line, Taken)
            await store.save(line.draft)
    return len(lines)


def push_everything(server: Server) -> list[int]:
    """Push every order; the statuses of the answers."""
    with httpx.Client(base_url=server.url, headers=BEARER, timeout=30) as client:
        orders = client.get("/api/orders").json()["orders"]
        return [client.post(f"/api/erp/orders/{order['id']}/push").status_code for order in orders]


async def test_two_instances_deliver_everything_and_nothing_twice(
    postgresql: PostgreSQL, start: Callable[..., Server]
) -> None:
    """The first attempts fail; both instances then find all of them due, and share them."""
    database_url = postgresql.new_database()
    number = await take_samples(database_url)
    script = [answers(503)] * number + [answers(200)]
    async with Receiver(*script) as receiver:
        settings = {
            "DATABASE_URL": database_url,
            "ERP_PULL_API_TOKEN": TOKEN,
            "ERP_WEBHOOK_SECRET": SECRET,
            "ERP_WEBHOOK_URL": receiver.url,
        }
        one = await aside(lambda: start(**settings))
        await aside(lambda: start(**settings))
        assert await aside(lambda: push_everything(one)) == [202] * number
        await aside(lambda: eventually(lambda: len(receiver.received) >= 2 * number, within=60))
    sent = Counter(request.webhook_id for request in receiver.received)
    assert (len(sent), set(sent.values())) == (number, {2})
    assert len({(request.webhook_id, request.body) for request in receiver.received}) == number
