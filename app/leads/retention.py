"""Retention: leads that are older than the operator keeps them are deleted."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from datetime import datetime, timedelta

from app.clock import Clock
from app.database.errors import SchemaMismatch, StoreUnavailable
from app.leads.store import LeadStore
from app.pause import pause

log = logging.getLogger(__name__)

_EVERY_SECONDS = 3_600
_AT_ONCE = 500
"""Few enough that a visitor who sends a lead meanwhile does not notice."""


async def purged(store: LeadStore, before: datetime) -> AsyncIterator[int]:
    """Delete the leads received before an instant, some at a time; how many, each time."""
    while number := await store.purge(before, _AT_ONCE):
        yield number


async def keep_for(days: int | None, store: LeadStore, clock: Clock, stop: asyncio.Event) -> None:
    """Delete what is older than LEAD_RETENTION_DAYS, each hour until `stop` is set."""
    if days is None:
        return
    while not stop.is_set():
        total = 0
        try:
            async for number in purged(store, clock() - timedelta(days=days)):
                total += number
        except StoreUnavailable:
            pass  # it is logged where it is found
        except SchemaMismatch as error:
            log.error("Leads cannot be deleted when they are due: %s", error)
        if total:
            log.info("Deleted %d leads older than %d days", total, days)
        await pause(stop, _EVERY_SECONDS)
