"""PostgreSQL behind PgBouncer, which gives each transaction another connection; several hosts."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from sqlalchemy import select, text
from stores.pgbouncer import PgBouncer
from stores.postgresql import PostgreSQL

from app.platform.database.database import Database
from app.platform.database.inspection import inspect
from app.platform.keys import shared_keys
from app.tables import all_tables

WAIT = 1.0
OPEN = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"


@pytest.fixture(scope="module")
def pooler(postgresql: PostgreSQL) -> Iterator[PgBouncer]:
    """A pooler with two connections."""
    with PgBouncer(postgresql) as running:
        yield running


@pytest.fixture
def migrated(postgresql: PostgreSQL) -> str:
    """The URL of a database with the current schema."""
    return postgresql.migrated_database()


def url_of(database: str, *ports: int) -> str:
    """Return the URL of a database, given by its own URL, at these ports."""
    hosts = ",".join(f"127.0.0.1:{port}" for port in ports)
    return f"postgresql://postgres@{hosts}{urlsplit(database).path}"


async def test_transactions_through_a_pooler(postgresql: PostgreSQL, pooler: PgBouncer) -> None:
    """Ten at a time share its two connections, with the statements of all."""
    url = url_of(postgresql.new_database(), pooler.port)
    async with Database(url, tables=all_tables) as database:
        await database.upgrade()

        async def write(number: int) -> int:
            async with database.writing() as connection:
                row = {"variable": f"key-{number}", "fingerprint": "a"}
                await connection.execute(shared_keys.insert().values(row))
            async with database.reading() as connection:
                found = select(shared_keys).where(shared_keys.c.variable == f"key-{number}")
                return len((await connection.execute(found)).all())

        assert await asyncio.gather(*map(write, range(40))) == [1] * 40
    state = await inspect(url, WAIT)
    assert (state.problem, state.is_pooled) == (None, True)


async def test_one_of_several_hosts_accepts_writes(
    postgresql: PostgreSQL, pooler: PgBouncer, migrated: str
) -> None:
    """Hosts that refuse, do not answer or are read-only are passed over, at first only."""
    postgresql.run("CREATE ROLE reader LOGIN SUPERUSER")
    postgresql.run("ALTER ROLE reader SET default_transaction_read_only = on")
    with PgBouncer(postgresql, role="reader") as reading, socket.create_server(("", 0)) as silent:
        ports = (1, silent.getsockname()[1], reading.port, pooler.port)
        url = url_of(migrated, *ports)
        async with Database(url, WAIT, tables=all_tables) as database:
            await database.prepare()
            async with asyncio.timeout(WAIT), database.writing() as connection:
                await connection.execute(text("DELETE FROM shared_keys"))
        assert (await inspect(url, WAIT)).is_read_only is False


async def test_a_process_opens_no_more_connections_than_told(migrated: str) -> None:
    """Other transactions wait."""
    async with Database(migrated, connections=3, tables=all_tables) as database:

        async def connections(_: int) -> int:
            async with database.reading() as connection:
                await connection.execute(text("SELECT pg_sleep(0.01)"))
                counted = text(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                )
                return int(await connection.scalar(counted) or 0)

        counts = await asyncio.gather(*map(connections, range(30)))
        assert max(counts) <= 3
        samples = {labels: number for _, labels, number in database.metrics_samples()}
        assert samples == {("database",): 0, ("open",): 2, ("in_use",): 0, ("allowed",): 3}
