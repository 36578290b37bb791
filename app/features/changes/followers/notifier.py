"""The notifier: puts the changes that a follower has not been told of into the outbox.

The position of a follower advances in the transaction that stores the delivery. So each change
is in exactly one delivery of a follower, however many processes do this, and whenever they die.
While a delivery is pending, further changes wait in the log, and then become one delivery.
Deliveries are kept as long as changes are.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from app.features.changes.change import ChangePage
from app.features.changes.followers.tables import follower_positions
from app.features.changes.log import ChangeLog
from app.platform.clock import Clock
from app.platform.concurrency.background import wait_or_stop
from app.platform.database.database import Database
from app.platform.database.errors import StoreUnavailable
from app.platform.database.statements import insert_of
from app.platform.deliveries.delivery import DeliveryKind, Message
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


@dataclass(frozen=True, slots=True)
class Notification:
    """The body that tells of changes, and the number of the last of them."""

    body: bytes
    last: int


@dataclass(frozen=True, slots=True)
class Follower:
    """One that is told of changes; `id` is the name of its position, and of its deliveries.

    Changes are collected for the time `collects`, so that many edits become one delivery of up
    to `at_most` changes. `notification` tells of the given changes, or of the first of them.
    `name` is what operators see.
    """

    id: str
    name: str
    kind: DeliveryKind
    at_most: int
    notification: Callable[[ChangePage], Awaitable[Notification]]
    collects: timedelta = timedelta()

    def message(self, body: bytes) -> Message:
        """Return the message with a body; a follower gets its messages one by one."""
        return Message(
            kind=self.kind, subject_id=self.id, subject=self.name, body=body, ordered=True
        )


class Positions:
    """Positions in a database; every method may raise StoreUnavailable."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, follower: str, newest: int) -> int:
        """Return the position of a follower; a new one starts at the newest change."""
        insert = insert_of(follower_positions, is_postgresql=self._database.is_postgresql)
        new = insert.values(follower=follower, last_change=newest)
        known = select(follower_positions.c.last_change).where(
            follower_positions.c.follower == follower
        )
        async with self._database.reading() as connection:
            position: int | None = (await connection.execute(known)).scalar_one_or_none()
        if position is None:
            async with self._database.writing() as connection:
                await connection.execute(new.on_conflict_do_nothing())
                position = (await connection.execute(known)).scalar_one()
        return position

    async def advance(
        self, connection: AsyncConnection, follower: str, position: int, to: int
    ) -> bool:
        """Move a position, unless another process has moved it: then return False."""
        row = follower_positions.c
        moved = await connection.execute(
            update(follower_positions)
            .where(row.follower == follower, row.last_change == position)
            .values(last_change=to)
        )
        return bool(moved.rowcount)
