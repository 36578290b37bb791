"""The notifier: puts the changes that a follower has not been told of into the outbox.

The position of a follower advances in the transaction that stores the delivery. So each change
is in exactly one delivery of a follower, however many processes do this, and whenever they die.
While a delivery is pending, further changes wait in the log, and then become one delivery.
Deliveries are kept as long as changes are.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.features.changes.followers.follower import Follower
from app.features.changes.followers.positions import Positions
from app.features.changes.log import ChangeLog
from app.platform.clock import Clock
from app.platform.concurrency.background import wait_or_stop
from app.platform.database.database import Database
from app.platform.database.errors import StoreUnavailable
from app.platform.deliveries.outbox import Outbox
from knowledge.resources.errors import ContentUnavailable

POLL_SECONDS = 1.0

_MOST_PURGED = 10
"""Old deliveries that are deleted with each new one, so that the outbox does not grow forever."""


@dataclass(frozen=True, slots=True)
class Collecting:
    """Since when this process has known of changes after a position."""

    position: int
    since: datetime


class ChangeNotifier:
    """Notifies followers of changes; several processes that share a database may do the same."""

    def __init__(
        self,
        database: Database,
        outbox: Outbox,
        followers: Sequence[Follower],
        clock: Clock,
        kept_for: timedelta = timedelta(days=90),
    ) -> None:
        self._database = database
        self._log = ChangeLog(database)
        self._positions = Positions(database)
        self._outbox = outbox
        self._followers = followers
        self._clock = clock
        self._kept_for = kept_for
        self._notified: dict[str, int] = {}
        self._collecting: dict[str, Collecting] = {}

    async def run(self, stop: asyncio.Event) -> None:
        """Notify followers of new changes until `stop` is set."""
        while not stop.is_set():
            with suppress(StoreUnavailable, ContentUnavailable):  # both are logged where they arise
                await self.notify()
            await wait_or_stop(stop, POLL_SECONDS)

    async def notify(self) -> int:
        """Put a delivery into the outbox for each follower that is to get one; return how many."""
        newest = (await self._log.head()).last
        waiting = [each for each in self._followers if self._notified.get(each.id) != newest]
        return sum([await self._notify(follower, newest) for follower in waiting])

    async def _notify(self, follower: Follower, newest: int) -> bool:
        position = await self._positions.of(follower.id, newest)
        if position >= newest:
            self._notified[follower.id] = newest
            return False
        # The numbers of changes have no gaps, so that a delivery may be known to be full.
        is_full = newest - position >= follower.at_most
        if not is_full and self._is_collecting(follower, position):
            return False
        if await self._outbox.is_pending(follower.kind, follower.id):
            return False
        return await self._open(follower, position, newest)

    def _is_collecting(self, follower: Follower, position: int) -> bool:
        """Whether to wait for further changes; the time starts when one is first seen."""
        now = self._clock()
        seen = self._collecting.get(follower.id)
        if seen is None or seen.position != position:
            seen = self._collecting[follower.id] = Collecting(position, now)
        return now - seen.since < follower.collects

    async def _open(self, follower: Follower, position: int, newest: int) -> bool:
        page = await self._log.after(position, follower.at_most)
        if not page.items:  # retention has deleted them
            async with self._database.writing() as connection:
                await self._positions.advance(connection, follower.id, position, newest)
            return False
        told = await follower.notification(page)
        async with self._database.writing() as connection:
            moved = await self._positions.advance(connection, follower.id, position, told.last)
            if moved:
                await self._outbox.add(connection, follower.message(told.body))
                before = self._clock() - self._kept_for
                subject = (follower.kind, follower.id)
                await self._outbox.purge(connection, *subject, before, _MOST_PURGED)
        return moved
