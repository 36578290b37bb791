"""The clock by which old rows are deleted, unless it is far ahead of when it was seen last.

A clock that jumps ahead makes all rows look old. It is believed again once an operator says that it
is right, or if the clock of a PostgreSQL server agrees.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from functools import partial

from sqlalchemy import Column, Connection, Integer, Table, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from app.platform.clock import Clock
from app.platform.concurrency.background import Work, wait_or_stop
from app.platform.database import SchemaMismatch, StoreUnavailable
from app.platform.database.database import Database
from app.platform.database.metadata import UtcDateTime, begin_with, metadata

log = logging.getLogger(__name__)


def server_time(connection: Connection) -> datetime | None:
    """Return the current time of a PostgreSQL server, not that of the transaction's begin."""
    if connection.dialect.name != "postgresql":
        return None
    now: datetime = connection.execute(select(func.clock_timestamp())).scalar_one()
    return now.astimezone(UTC)


FAR = timedelta(days=1)
_EVERY_SECONDS = 3_600

seen_clock = Table(
    "seen_clock",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", UtcDateTime),
)
"""One row: the last time that was believed."""

begin_with(seen_clock, {"id": 1})


async def believe(connection: AsyncConnection, now: datetime, *, is_confirmed: bool) -> bool:
    """Return whether a time is no more than a day ahead, or was confirmed, and note it then."""
    seen = (await connection.execute(select(seen_clock.c.at))).scalar_one()
    known = [each for each in (seen, await connection.run_sync(server_time)) if each]
    if known and now - max(known) > FAR and not is_confirmed:
        return False
    if seen is None or now > seen or is_confirmed:
        await connection.execute(update(seen_clock).values(at=now))
    return True


def hourly(
    database: Database,
    clock: Clock,
    delete_due: Callable[[], Awaitable[object]],
    what: str,
    first_seconds: float = 0.0,
) -> Work:
    """Return the task that deletes what is due, first after some seconds and then every hour.

    `what` is for the log.
    """
    return partial(_delete_hourly, database, clock, delete_due, what, first_seconds)


async def _delete_hourly(
    database: Database,
    clock: Clock,
    delete_due: Callable[[], Awaitable[object]],
    what: str,
    first_seconds: float,
    stop: asyncio.Event,
) -> None:
    is_told = False
    await wait_or_stop(stop, first_seconds)
    while not stop.is_set():
        now = clock()
        try:
            async with database.writing() as connection:
                is_believed = await believe(connection, now, is_confirmed=False)
            if is_believed:
                await delete_due()
            elif not is_told:
                log.error(
                    "No %s are deleted: the clock is more than a day ahead of when it was seen "
                    "last. If it is right, run `majlis db believe-clock`.",
                    what,
                )
            is_told = not is_believed
        except StoreUnavailable:
            pass  # the database layer has logged it
        except SchemaMismatch as error:
            log.error("Cannot delete %s that are due: %s", what, error)
        await wait_or_stop(stop, _EVERY_SECONDS)
