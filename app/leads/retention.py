"""Retention: leads that are older than the operator keeps them are deleted.

A clock that jumps ahead makes leads look older than they are. So one round deletes at most those
received within one day; where more than that is overdue, the rest follows a share at a time.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from datetime import datetime, timedelta

from app.clock import Clock, Ticks
from app.concurrency.wait_or_stop import wait_or_stop
from app.database.errors import SchemaMismatch, StoreUnavailable
from app.leads.store import LeadStore

log = logging.getLogger(__name__)

BATCH = 500
"""Few enough to change at once that a visitor who sends a lead meanwhile does not notice."""
SHARE = timedelta(days=1)
"""A round deletes leads that were received within this time, and no others."""
CATCH_UP_EVERY = timedelta(hours=12)
"""How often a share is deleted while more is overdue: twice as fast as new leads fall due."""

_EVERY_SECONDS = 3_600


async def purge_in_batches(store: LeadStore, before: datetime) -> AsyncIterator[int]:
    """Delete the leads received before an instant, some at a time; how many, each time."""
    while number := await store.purge(before, BATCH):
        yield number


def is_behind(limit: datetime, oldest: datetime) -> bool:
    """Whether more than a day's share is overdue.

    >>> day = timedelta(days=1)
    >>> oldest = datetime(2026, 1, 1)
    >>> is_behind(oldest + day, oldest), is_behind(oldest + 2 * day, oldest)
    (False, True)
    """
    return limit - oldest > SHARE


class Retention:
    """Deletes leads older than so many days.

    Other processes over the same database do so as well: that only one of them catches up at a
    time is noted there, by the wall clock. `ticks` keeps a clock that jumps again and again from
    making this process catch up more often.
    """

    def __init__(
        self, days: int, store: LeadStore, clock: Clock, ticks: Ticks = time.monotonic
    ) -> None:
        self._days = days
        self._store = store
        self._clock = clock
        self._ticks = ticks
        self._caught_up = float("-inf")

    async def run(self, stop: asyncio.Event) -> None:
        """Delete what is due, each hour until `stop` is set."""
        while not stop.is_set():
            try:
                await self.delete_due()
            except StoreUnavailable:
                pass  # it is logged where it is found
            except SchemaMismatch as error:
                log.error("Leads cannot be deleted when they are due: %s", error)
            await wait_or_stop(stop, _EVERY_SECONDS)

    async def delete_due(self) -> int:
        """Delete what is due now, at most a day's share; how many leads that were."""
        now = self._clock()
        limit = now - timedelta(days=self._days)
        oldest = await self._store.oldest()
        if oldest is None or oldest >= limit:
            return 0
        if is_behind(limit, oldest):
            if not await self._may_catch_up(now):
                return 0
            self._warn(limit, oldest)
        return await self._delete(min(limit, oldest + SHARE))

    async def _may_catch_up(self, now: datetime) -> bool:
        elapsed = self._ticks() - self._caught_up
        if elapsed < CATCH_UP_EVERY.total_seconds():
            return False
        if not await self._store.begin_catch_up(now, CATCH_UP_EVERY):
            return False
        self._caught_up = self._ticks()
        return True

    def _warn(self, limit: datetime, oldest: datetime) -> None:
        log.warning(
            "Leads of %d days are older than LEAD_RETENTION_DAYS=%d. As the clock may have jumped"
            " ahead, only those of one day are deleted now, and of another every %d hours. If the"
            " clock is right, delete all of them with `majlis leads purge --older-than %dd`.",
            (limit - oldest).days + 1,
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
