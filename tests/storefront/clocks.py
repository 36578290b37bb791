"""A database's clock that shows what the test's clock does, also on PostgreSQL."""

from __future__ import annotations

from datetime import datetime

from contract.visitor import FakeClock
from sqlalchemy.ext.asyncio import AsyncConnection

from app.deliveries.database_clock import DatabaseClock


class FakeDatabaseClock(DatabaseClock):
    """Stands until the test moves its clock."""

    def __init__(self, clock: FakeClock) -> None:
        super().__init__(clock)
        self._fake = clock

    async def now(self, connection: AsyncConnection) -> datetime:
        """The instant that the test's clock shows."""
        return self._fake()
