"""Retention: deletes or anonymises leads that are older than the operator's limit.

A clock that jumps ahead makes leads look older than they are. One run therefore changes at most
the leads received within one day. If more is overdue, later runs change the rest day by day.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from app.platform.clock import Clock, Ticks
from app.platform.database.periodic_work import delete_hourly

log = logging.getLogger(__name__)

BATCH = 500
"""Leads changed per transaction; small enough not to delay a lead that arrives meanwhile."""
MAX_SPAN = timedelta(days=1)
"""One run changes leads that were received within a span of at most this length."""
CATCH_UP_EVERY = timedelta(hours=12)
"""Minimum time between two runs while more is overdue, so that the backlog shrinks."""


class OverdueLeads(Protocol):
    """The leads in a database: `LeadStore` deletes them, `Identities` anonymises them."""

    async def oldest(self) -> datetime | None:
        """Return when the oldest lead was received, or None."""

    async def begin_catch_up(self, now: datetime, interval: timedelta) -> bool:
        """Return whether the caller may catch up now; true once per interval."""

    async def purge(self, before: datetime, at_most: int) -> int:
        """Delete or anonymise some leads received before an instant; return how many."""


@dataclass(frozen=True, slots=True)
class Words:
    """How the log names what is done to leads."""

    setting: str
    command: str
    verb: str
    done: str
    what: str


DELETION = Words("LEAD_RETENTION_DAYS", "purge", "delete", "deleted", "leads")
ANONYMISATION = Words(
    "LEAD_ANONYMISE_DAYS", "anonymise", "anonymise", "anonymised", "personal data of leads"
)


async def purge_in_batches(store: OverdueLeads, before: datetime) -> AsyncIterator[int]:
    """Change the leads received before an instant in batches; yield the size of each batch."""
    while number := await store.purge(before, BATCH):
        yield number


class Retention:
    """Deletes leads older than `days` days, or does what the store and its words are about.

    Other processes that share the database do the same. A row in the database ensures
    that only one of them catches up at a time. The monotonic `ticks` limit how often this process
    catches up even if the wall clock jumps repeatedly.
    """

    def __init__(
        self,
        days: int,
        store: OverdueLeads,
        clock: Clock,
        ticks: Ticks = time.monotonic,
        words: Words = DELETION,
    ) -> None:
        self._days = days
        self._store = store
        self._clock = clock
        self._ticks = ticks
        self._words = words
        self._last_catch_up_at = float("-inf")

    async def run(self, stop: asyncio.Event) -> None:
        """Change due leads every hour until `stop` is set."""
        await delete_hourly(self.delete_due, self._words.what, stop)

    async def delete_due(self) -> int:
        """Change the leads due now, at most one MAX_SPAN of them; return how many."""
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
            "Leads from %d days are older than %s=%d. The clock may have jumped ahead, so only one"
            " day is %s now, and another every %d hours. If the clock is right, %s all of them"
            " with `majlis leads %s --older-than %dd`.",
            (cutoff - oldest).days + 1,
            self._words.setting,
            self._days,
            self._words.done,
            CATCH_UP_EVERY.total_seconds() // 3_600,
            self._words.verb,
            self._words.command,
            self._days,
        )

    async def _delete(self, before: datetime) -> int:
        total = 0
        async for number in purge_in_batches(self._store, before):
            total += number
        done = self._words.done.capitalize()
        log.info("%s %d leads older than %d days", done, total, self._days)
        return total
