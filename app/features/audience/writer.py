"""Writer: stores the counts of this process once a minute, and when the service stops."""

from __future__ import annotations

import asyncio
import logging

from app.features.audience.counts import Counts
from app.features.audience.store import AudienceStore
from app.platform.concurrency.background import wait_or_stop
from app.platform.database.errors import SchemaMismatch, StoreUnavailable

log = logging.getLogger(__name__)


class CountsWriter:
    """Writes every `seconds`; a process that is killed loses at most what came since.

    While the database is unavailable, the counts stay in memory, bounded, and are written later.
    If it fails during a commit, they may be counted twice.
    """

    def __init__(self, counts: Counts, store: AudienceStore, seconds: float) -> None:
        self._counts = counts
        self._store = store
        self._seconds = seconds

    async def run(self, stop: asyncio.Event) -> None:
        """Write until `stop` is set, and then once more."""
        while not stop.is_set():
            await wait_or_stop(stop, self._seconds)
            await self.write()
        await self.write()  # what came while a write was under way
        unwritten = self._counts.take().total
        if unwritten:
            log.warning(
                "The database could not be written at the stop: %d counts of readers are lost.",
                unwritten,
            )

    async def write(self) -> None:
        """Write what was counted since the last time."""
        batch = self._counts.take()
        if not batch.agents and not batch.searches:
            return
        try:
            await self._store.add(batch)
        except StoreUnavailable:  # the database layer has logged it
            self._counts.put_back(batch)
        except SchemaMismatch as error:
            log.error("Cannot store the counts of readers: %s", error)
            self._counts.put_back(batch)
