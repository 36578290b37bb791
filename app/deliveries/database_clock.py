"""The clock for leases and due times, shared by all processes that use one database.

The clocks of several machines differ, so PostgreSQL's own clock is used there. An SQLite file is
used on one machine only, so the service's clock is enough.
"""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from app.clock import Clock, utc_now


class DatabaseClock:
    """Returns the current time within a transaction; `clock` is used for SQLite."""

    def __init__(self, clock: Clock = utc_now) -> None:
        self._clock = clock

    async def now(self, connection: AsyncConnection) -> datetime:
        """Return the current instant, not the one at which the transaction began."""
        if connection.dialect.name != "postgresql":
            return self._clock()
        now: datetime = (await connection.execute(select(func.clock_timestamp()))).scalar_one()
        return now.astimezone(UTC)
