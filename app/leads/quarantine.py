"""The number of leads in quarantine, queried periodically and exported as a metric."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from app.concurrency.wait_or_stop import repeat
from app.database.errors import SchemaMismatch, StoreUnavailable
from app.leads.store import LeadStore
from app.observability.metrics import LEADS_QUARANTINED, Sample

POLL_SECONDS = 10.0


class Quarantine:
    """Holds the number of leads in quarantine at the last query; None if that query failed."""

    def __init__(self, store: LeadStore) -> None:
        self._store = store
        self._number: int | None = None

    def metrics_samples(self) -> Iterator[Sample]:
        """Yield the metric. All processes that share a database report the same value."""
        if self._number is not None:
            yield LEADS_QUARANTINED, (), self._number

    async def refresh(self) -> None:
        """Count again. If that fails, export no value rather than a stale one."""
        try:
            self._number = await self._store.count(quarantined=True)
        except (StoreUnavailable, SchemaMismatch):  # the database layer logs StoreUnavailable
            self._number = None

    async def run(self, stop: asyncio.Event) -> None:
        """Count every POLL_SECONDS until `stop` is set."""
        await repeat(self.refresh, POLL_SECONDS, stop)
