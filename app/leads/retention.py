"""Retention: leads that are older than the operator keeps them are deleted."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import datetime, timedelta

from app.database.errors import StoreUnavailable
from app.leads.store import LeadStore
from app.pause import pause
from app.services import Services

log = logging.getLogger(__name__)

_EVERY_SECONDS = 3_600
_AT_ONCE = 500
"""Few enough that a visitor who sends a lead meanwhile does not notice."""


async def purged(store: LeadStore, before: datetime) -> AsyncIterator[int]:
    """Delete the leads received before an instant, some at a time; how many, each time."""
    while number := await store.purge(before, _AT_ONCE):
        yield number


async def keep_for(at: Services, stop: asyncio.Event) -> None:
    """Delete what is older than LEAD_RETENTION_DAYS, each hour until `stop` is set."""
    days = at.settings.lead_retention_days
    if days is None:
        return
    while not stop.is_set():
        total = 0
        with suppress(StoreUnavailable):  # it is logged, and tried again in an hour
            async for number in purged(at.leads, at.clock() - timedelta(days=days)):
                total += number
        if total:
            log.info("Deleted %d leads older than %d days", total, days)
        await pause(stop, _EVERY_SECONDS)
