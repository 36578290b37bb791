"""Metrics of the outbox: numbers of deliveries, queried periodically.

The database may be slow or unavailable; a request for metrics must not wait for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from app.clock import Clock
from app.concurrency.wait_or_stop import repeat
from app.database.errors import SchemaMismatch, StoreUnavailable
from app.deliveries.delivery import OutboxCounts
from app.deliveries.outbox import Outbox
from app.observability.metrics import DELIVERIES, OVERDUE, Sample

POLL_SECONDS = 10.0


class OutboxMetrics:
    """Holds the counts of the last query; None if that query failed."""

    def __init__(self, outbox: Outbox, clock: Clock) -> None:
        self._outbox = outbox
        self._clock = clock
        self._counts: OutboxCounts | None = None

    def metrics_samples(self) -> Iterator[Sample]:
        """Yield the metrics. All processes that share a database report the same values."""
        if self._counts is None:
            return
        for status, number in self._counts.counts.items():
            yield DELIVERIES, (status,), number
        now = self._clock()
        late = now - (self._counts.due_since or now)
        yield OVERDUE, (), max(0.0, late.total_seconds())

    async def refresh(self) -> None:
        """Count again. If that fails, export no values rather than stale ones."""
        try:
            self._counts = await self._outbox.counts()
        except (StoreUnavailable, SchemaMismatch):  # the database layer logs StoreUnavailable
            self._counts = None

    async def run(self, stop: asyncio.Event) -> None:
        """Count every POLL_SECONDS until `stop` is set."""
        await repeat(self.refresh, POLL_SECONDS, stop)
