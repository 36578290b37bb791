"""Retention of the audience: deletes the counts of days that are older than the limit.

A clock that jumps ahead makes days look older than they are, so one run deletes one day only.
Each hour one more follows, which is enough to catch up after any outage.
"""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta

from app.features.audience.store import AudienceStore
from app.platform.clock import Clock
from app.platform.database.periodic_work import delete_hourly

log = logging.getLogger(__name__)


class AudienceRetention:
    """Deletes the counts of days that ended more than `days` days ago."""

    def __init__(self, days: int, store: AudienceStore, clock: Clock) -> None:
        self._days = days
        self._store = store
        self._clock = clock

    async def run(self, stop: asyncio.Event) -> None:
        """Delete every hour until `stop` is set."""
        await delete_hourly(self.delete_oldest, "the counts of readers", stop)

    async def delete_oldest(self) -> int:
        """Delete the oldest day if it is due; return how many counts it had."""
        oldest = await self._store.oldest()
        if oldest is None or oldest >= self._clock().date() - timedelta(days=self._days):
            return 0
        number = await self._store.forget(oldest)
        log.info("Deleted the counts of readers of %s", oldest)
        return number
