"""A fake database clock that follows the test's clock, also on PostgreSQL."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection

from app.platform.clock import Clock
from app.platform.deliveries.outbox import DatabaseClock


class FakeDatabaseClock(DatabaseClock):
    """A database clock that moves only with the test's clock."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self._fake = clock

    def read(self, connection: Connection) -> datetime:
        """Return the time of the test's clock."""
        return self._fake()
