"""A fake database clock that follows the test's clock, also on PostgreSQL."""

from __future__ import annotations

from datetime import datetime

from contract.visitor import FakeClock
from sqlalchemy.ext.asyncio import AsyncConnection

from app.deliveries.outbox import DatabaseClock


class FakeDatabaseClock(DatabaseClock):
    """A database clock that moves only with the test's clock."""

    def __init__(self, clock: FakeClock) -> None:
        super().__init__(clock)
        self._fake = clock

    async def now(self, connection: AsyncConnection) -> datetime:
        """Return the time of the test's clock."""
        return self._fake()
