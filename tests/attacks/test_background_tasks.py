"""A background task that fails with an unexpected error is restarted, logged and counted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from live.server import Server, client_of, eventually, free_port
from sqlalchemy import text
from stores.postgresql import PostgreSQL

from app.platform.database.database import Database
from app.tables import all_tables

pytestmark = pytest.mark.slow


async def change(url: str, statement: str) -> None:
    """Change the database as an administrator might by mistake."""
    async with Database(url, tables=all_tables) as database:
        await database.upgrade()
        async with database.writing() as connection:
            await connection.execute(text(statement))


def test_a_task_that_dies_is_logged_counted_and_started_again(
    start: Callable[..., Server], postgresql: PostgreSQL
) -> None:
    """Deliveries are counted again as soon as their table is back; content stays available."""
    url, port = postgresql.new_database(), free_port()
    asyncio.run(change(url, "ALTER TABLE deliveries RENAME TO elsewhere"))
    server = start(DATABASE_URL=url, METRICS_PORT=str(port))
    with client_of(f"http://127.0.0.1:{port}") as monitor:

        def has_metric(line: str) -> bool:
            return f"\n{line}" in monitor.get("/metrics").text

        eventually(lambda: has_metric('majlis_task_restarts_total{task="outbox_metrics"} 1.0'))
        assert not has_metric("majlis_deliveries{")
        assert server.json("/api/public/v1/pages/page") is not None
        asyncio.run(change(url, "ALTER TABLE elsewhere RENAME TO deliveries"))
        eventually(lambda: has_metric('majlis_deliveries{kind="order",status="pending"} 0.0'))
    assert "Background task outbox_metrics failed; restarting it in" in server.log.read_text()
