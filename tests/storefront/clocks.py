"""Clocks of tests: one of the database that follows the test's, and the word of an operator."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection

from app.platform.clock import Clock
from app.platform.database.database import Database
from app.platform.database.seen_clock import believe
from app.platform.deliveries.outbox import DatabaseClock


class FakeDatabaseClock(DatabaseClock):
    """A database clock that moves only with the test's clock."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self._fake = clock

    def read(self, connection: Connection) -> datetime:
        """Return the time of the test's clock."""
        return self._fake()


async def confirm(database: Database, now: datetime) -> None:
    """Say that the clock is right after a jump, as `majlis db believe-clock` does."""
    async with database.writing() as connection:
        await believe(connection, now, is_confirmed=True)
