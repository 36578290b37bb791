"""The clock that leases and due times go by: all instances over one database share it.

Clocks of several machines differ. So on PostgreSQL the server's clock counts. An SQLite file is
used on one machine, whose clock is the service's own.
"""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from app.clock import Clock, utc_now


class DatabaseClock:
    """Tells the time within a transaction; `clock` is the service's own."""

    def __init__(self, clock: Clock = utc_now) -> None:
        self._clock = clock

    async def now(self, connection: AsyncConnection) -> datetime:
        """The present instant; not that at which the transaction began."""
        if connection.dialect.name != "postgresql":
            return self._clock()
        found: datetime = (await connection.execute(select(func.clock_timestamp()))).scalar_one()
        return found.astimezone(UTC)
