"""The audience: counts in memory, written to the database now and then, and deleted after a while.

A clock that jumps ahead makes days look older than they are, so one run deletes one day only.
Each hour one more follows, which is enough to catch up after any outage.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import urlsplit

from app.features.audience.classification import Classifier
from app.features.audience.counts import Counts, SearchKey
from app.features.audience.readers import Agent
from app.features.audience.settings import AudienceSettings
from app.features.audience.store import AudienceStore
from app.platform.clock import Clock
from app.platform.component import Component
from app.platform.concurrency.background import Work, wait_or_stop
from app.platform.database.errors import SchemaMismatch, StoreUnavailable
from app.platform.database.periodic_work import delete_hourly
from app.platform.observability.metrics import Sample
from app.platform.observability.retained_texts import retained_query
from app.services import Services
from app.web.extensions import SearchCounter
from app.web.http.reading import Channel


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


@dataclass(frozen=True)
class Audience(Component, SearchCounter):
    """What counts the readers of one process; `hosts` are those of this site."""

    counts: Counts
    agent_of: Callable[[bytes], Agent]
    clock: Clock
    hosts: frozenset[str]
    writer: CountsWriter
    retention: AudienceRetention

    def count_search(self, channel: Channel, query: str, hits: int) -> None:
        """Count a search for what is kept of its query."""
        day = self.clock().date()
        self.counts.search(SearchKey(day, channel.value, retained_query(query), hits))

    def metrics_samples(self) -> Iterator[Sample]:
        """Yield the counts."""
        yield from self.counts.metrics_samples()

    def tasks(self) -> Iterator[tuple[str, Work]]:
        """Yield the background tasks by name."""
        yield "audience", self.writer.run
        yield "audience_retention", self.retention.run


def open_audience(services: Services) -> Audience:
    """Return the audience of a service whose counts are in its database."""
    settings, counts = services.settings.of(AudienceSettings), Counts()
    store, host = AudienceStore(services.database), urlsplit(settings.public_url).hostname
    return Audience(
        counts=counts,
        agent_of=Classifier().agent_of,
        clock=services.clock,
        hosts=frozenset({host} if host else ()),
        writer=CountsWriter(counts, store, settings.audience_write_seconds),
        retention=AudienceRetention(settings.audience_retention_days, store, services.clock),
    )


log = logging.getLogger(__name__)
