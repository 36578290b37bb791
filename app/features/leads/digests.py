"""Digests: once a day, those who are told of leads learn how many new ones are in quarantine."""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime, timedelta
from typing import cast

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from app.features.leads.notices import LeadNotifier
from app.features.leads.tables import leads, quarantine_digests
from app.platform.clock import Clock
from app.platform.concurrency.background import wait_or_stop
from app.platform.database.database import Database
from app.platform.database.errors import SchemaMismatch, StoreUnavailable

log = logging.getLogger(__name__)

EVERY = timedelta(days=1)
_CHECK_SECONDS = 300


class QuarantineDigests:
    """Tells of leads in quarantine, one process for all that share the database."""

    def __init__(self, database: Database, notifier: LeadNotifier, clock: Clock) -> None:
        self._database = database
        self._notifier = notifier
        self._clock = clock

    async def run(self, stop: asyncio.Event) -> None:
        """Tell what is due until `stop` is set."""
        while not stop.is_set():
            try:
                await self.tell_if_due()
            except StoreUnavailable:
                pass  # the database layer has logged it
            except SchemaMismatch as error:
                log.error("Nobody is told of leads in quarantine: %s", error)
            await wait_or_stop(stop, _CHECK_SECONDS)

    async def tell_if_due(self) -> None:
        """Tell of the leads that were quarantined since the last digest, a day ago or more.

        The first digest is of the day after the first start.
        """
        now = self._clock()
        since = await self._told_until()
        until = _next(since, now)
        if until is None:
            return
        async with self._database.writing() as connection:
            is_mine = await _advance(connection, since, until)
            # The first digest, and one after the clock was set back, begin a new day.
            if is_mine and since and since < until and await _is_any(connection, since, until):
                await self._notifier.tell_of_quarantine(connection, since, until)

    async def _told_until(self) -> datetime | None:
        async with self._database.reading() as connection:
            row = await connection.execute(select(quarantine_digests.c.told_until))
            return cast("datetime | None", row.scalar_one())


def _next(since: datetime | None, now: datetime) -> datetime | None:
    """Return until when the next digest tells, or None if it is not due.

    An instant in the future was recorded by a clock that has been set back since. Whole days are
    told, so that the time of day stays the same.

    >>> _next(datetime(2026, 11, 1, 9), datetime(2026, 11, 3, 10))
    datetime.datetime(2026, 11, 3, 9, 0)
    """
    if since is None or since > now:
        return now
    days = (now - since) // EVERY
    return since + days * EVERY if days else None


async def _advance(connection: AsyncConnection, since: datetime | None, until: datetime) -> bool:
    """Record until when is told; return False if another process has done so."""
    told = quarantine_digests.c.told_until
    is_same = told.is_(None) if since is None else told == since
    statement = update(quarantine_digests).where(is_same).values(told_until=until)
    return (await connection.execute(statement)).rowcount > 0


async def _is_any(connection: AsyncConnection, since: datetime, until: datetime) -> bool:
    received = leads.c.received_at
    query = (
        select(func.count())
        .select_from(leads)
        .where(leads.c.quarantined, received >= since, received < until)
    )
    return bool((await connection.execute(query)).scalar_one())
