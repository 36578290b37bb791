"""Retention of changes: deletes those that followers should have read long ago."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from app.features.changes.log import ChangeLog
from app.platform.clock import Clock
from app.platform.concurrency.background import wait_or_stop
from app.platform.database.periodic_work import delete_hourly

BATCH = 1_000
"""Changes deleted per transaction."""

_FIRST_SECONDS = 60


class ChangeRetention:
    """Deletes changes that were recorded more than `days` days ago.

    Several processes may do so at once. A clock that jumps ahead deletes changes too early; those
    who follow them are told to read all pages again.
    """

    def __init__(self, days: int, changes: ChangeLog, clock: Clock) -> None:
        self._days = days
        self._changes = changes
        self._clock = clock

    async def run(self, stop: asyncio.Event) -> None:
        """Delete due changes a minute after the start and then every hour, until `stop` is set."""
        await wait_or_stop(stop, _FIRST_SECONDS)
        await delete_hourly(self.delete_due, "changes", stop)

    async def delete_due(self) -> int:
        """Delete the changes due now; return how many."""
        before, total = self._clock() - timedelta(days=self._days), 0
        while number := await self._changes.purge(before, BATCH):
            total += number
        return total
