"""Sample orders for real servers: imported into the database, and pushed over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from live.server import Server, client_of
from storefront.shop import BEARER, SAMPLE

from app.features.orders.intake import ParsedOrder, read_lines
from app.features.orders.store import OrderStore
from app.platform.clock import utc_now
from app.platform.database.database import Database
from app.tables import all_tables


async def aside(work: Callable[[], Any]) -> Any:
    """Run a blocking function in a thread, so that the receiver can answer meanwhile."""
    return await asyncio.to_thread(work)


async def take_samples(database_url: str) -> int:
    """Import the sample orders, and return their number."""
    async with Database(database_url, tables=all_tables) as database:
        await database.upgrade()
        store = OrderStore(database, utc_now)
        lines = list(read_lines(SAMPLE.read_bytes().splitlines()))
        for line in lines:
            assert isinstance(line, ParsedOrder)
            await store.save(line.draft)
    return len(lines)


def push_everything(server: Server) -> list[int]:
    """Push every order, and return the statuses."""
    with client_of(server.url, headers=BEARER) as client:
        orders = client.get("/api/orders").json()["orders"]
        return [client.post(f"/api/erp/orders/{order['id']}/push").status_code for order in orders]
