"""The census: how many deliveries there are, looked up now and then so that metrics can tell it.

It is a fact of the database, which may be slow or away; whoever asks for metrics waits for neither.
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

LOOK_AGAIN_SECONDS = 10.0


class OutboxMetrics:
    """What an outbox held when it was last looked at; nothing where that failed."""

    def __init__(self, outbox: Outbox, clock: Clock) -> None:
        self._outbox = outbox
        self._clock = clock
        self._tally: OutboxCounts | None = None

    def metrics_samples(self) -> Iterator[Sample]:
        """What metrics tell of deliveries; all processes over one database tell the same."""
        if self._tally is None:
            return
        for status, number in self._tally.counts.items():
            yield DELIVERIES, (status,), number
        now = self._clock()
        late = now - (self._tally.due_since or now)
        yield OVERDUE, (), max(0.0, late.total_seconds())

    async def look(self) -> None:
        """Count anew; no figure is better than one that is no longer true."""
        try:
            self._tally = await self._outbox.counts()
        except (StoreUnavailable, SchemaMismatch):  # the first is logged where it is found
            self._tally = None

    async def run(self, stop: asyncio.Event) -> None:
        """Look again and again until `stop` is set."""
        await repeat(self.look, LOOK_AGAIN_SECONDS, stop)
