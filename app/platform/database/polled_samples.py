"""Metrics of the database's contents, queried periodically.

The database may be slow or unavailable; a request for metrics must not wait for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable

from app.platform.concurrency.wait_or_stop import wait_or_stop
from app.platform.database.errors import SchemaMismatch, StoreUnavailable
from app.platform.observability.metrics import Sample, Source

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
