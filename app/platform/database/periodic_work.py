"""Periodic work on the database: deletion each hour, and samples for metrics.

The database may be slow or unavailable; a request for metrics must not wait for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable

from app.platform.concurrency.background import wait_or_stop
from app.platform.database.errors import SchemaMismatch, StoreUnavailable
from app.platform.observability.metrics import Sample, Source

log = logging.getLogger(__name__)

_EVERY_SECONDS = 3_600


async def delete_hourly(
    delete_due: Callable[[], Awaitable[object]], what: str, stop: asyncio.Event
) -> None:
    """Delete what is due now and then every hour, until `stop` is set.

    `what` names it in the log. A database that is unavailable is tried again after an hour.
    """
    while not stop.is_set():
        try:
            await delete_due()
        except StoreUnavailable:
            pass  # the database layer has logged it
        except SchemaMismatch as error:
            log.error("Cannot delete %s that are due: %s", what, error)
        await wait_or_stop(stop, _EVERY_SECONDS)


POLL_SECONDS = 10.0


class PolledSamples:
    """Holds the result of the last query; exports nothing if that query failed.

    All processes that share a database report the same values.
    """

    def __init__(self, query: Callable[[], Awaitable[Source]]) -> None:
        self._query = query
        self._source: Source | None = None

    def metrics_samples(self) -> Iterable[Sample]:
        """Return the samples of the last query."""
        return self._source() if self._source else ()

    async def refresh(self) -> None:
        """Query again. If that fails, export no values rather than stale ones."""
        try:
            self._source = await self._query()
        except (StoreUnavailable, SchemaMismatch):  # the database layer logs StoreUnavailable
            self._source = None

    async def run(self, stop: asyncio.Event) -> None:
        """Query every POLL_SECONDS until `stop` is set."""
        while not stop.is_set():
            await self.refresh()
            await wait_or_stop(stop, POLL_SECONDS)
