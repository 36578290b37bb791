"""Quarantine: how many leads wait in it, looked up now and then so that metrics can tell it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from app.concurrency.wait_or_stop import repeat
from app.database.errors import SchemaMismatch, StoreUnavailable
from app.leads.store import LeadStore
from app.observability.metrics import LEADS_QUARANTINED, Sample

LOOK_AGAIN_SECONDS = 10.0


class Quarantine:
    """How many leads were in quarantine when the store was last asked; nothing if that failed."""

    def __init__(self, store: LeadStore) -> None:
        self._store = store
        self._number: int | None = None

    def metrics_samples(self) -> Iterator[Sample]:
        """What metrics tell of it; all processes over one database tell the same."""
        if self._number is not None:
            yield LEADS_QUARANTINED, (), self._number

    async def peek(self) -> None:
        """Count anew; no figure is better than one that is no longer true."""
        try:
            self._number = await self._store.count(quarantined=True)
        except (StoreUnavailable, SchemaMismatch):  # the first is logged where it is found
            self._number = None

    async def run(self, stop: asyncio.Event) -> None:
        """Look again and again until `stop` is set."""
        await repeat(self.peek, LOOK_AGAIN_SECONDS, stop)
