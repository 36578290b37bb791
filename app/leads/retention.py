"""Retention: deletes leads that are older than the operator's limit.

A clock that jumps ahead makes leads look older than they are. One run therefore deletes at most
the leads received within one day. If more is overdue, later runs delete the rest day by day.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from datetime import datetime, timedelta

from app.clock import Clock, Ticks
from app.database.hourly_deletion import delete_hourly
from app.leads.store import LeadStore

log = logging.getLogger(__name__)

BATCH = 500
"""Leads deleted per transaction; small enough not to delay a lead that arrives meanwhile."""
MAX_SPAN = timedelta(days=1)
"""One run deletes leads that were received within a span of at most this length."""
CATCH_UP_EVERY = timedelta(hours=12)
"""Minimum time between two runs while more is overdue, so that the backlog shrinks."""


async def purge_in_batches(store: LeadStore, before: datetime) -> AsyncIterator[int]:
    """Delete the leads received before an instant in batches; yield the size of each batch."""
    while number := await store.purge(before, BATCH):
        yield number


class Retention:
    """Deletes leads older than `days` days.

    Other processes that share the database do the same. A row in the database ensures
    that only one of them catches up at a time. The monotonic `ticks` limit how often this process
    catches up even if the wall clock jumps repeatedly.
    """

    def __init__(
        self, days: int, store: LeadStore, clock: Clock, ticks: Ticks = time.monotonic
    ) -> None:
        self._days = days
        self._store = store
        self._clock = clock
        self._ticks = ticks
        self._last_catch_up_at = float("-inf")

    async def run(self, stop: asyncio.Event) -> None:
        """Delete due leads every hour until `stop` is set."""
        await delete_hourly(self.delete_due, "leads", stop)

    async def delete_due(self) -> int:
        """Delete the leads due now, at most one MAX_SPAN of them; return how many."""
        now = self._clock()
        cutoff = now - timedelta(days=self._days)
        oldest = await self._store.oldest()
        if oldest is None or oldest >= cutoff:
            return 0
        if cutoff - oldest > MAX_SPAN:
            if not await self._may_catch_up(now):
                return 0
            self._warn(cutoff, oldest)
        return await self._delete(min(cutoff, oldest + MAX_SPAN))

    async def _may_catch_up(self, now: datetime) -> bool:
        elapsed = self._ticks() - self._last_catch_up_at
        if elapsed < CATCH_UP_EVERY.total_seconds():
            return False
        if not await self._store.begin_catch_up(now, CATCH_UP_EVERY):
            return False
        self._last_catch_up_at = self._ticks()
        return True

    def _warn(self, cutoff: datetime, oldest: datetime) -> None:
        log.warning(
            "Leads from %d days are older than LEAD_RETENTION_DAYS=%d. The clock may have"
            " jumped ahead, so only one day is deleted now, and another every %d hours. If the"
            " clock is right, delete all of them with `majlis leads purge --older-than %dd`.",
            (cutoff - oldest).days + 1,
            self._days,
            CATCH_UP_EVERY.total_seconds() // 3_600,
            self._days,
        )

    async def _delete(self, before: datetime) -> int:
        total = 0
        async for number in purge_in_batches(self._store, before):
            total += number
        log.info("Deleted %d leads older than %d days", total, self._days)
        return total
