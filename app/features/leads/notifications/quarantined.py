"""The leads that a digest tells of: their number, and the first of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from app.features.leads.lead import StoredLead
from app.features.leads.store import LeadStore

MOST_LISTED = 20


@dataclass(frozen=True, slots=True)
class Quarantined:
    """The leads that were quarantined from `since` to `until`, as they are now."""

    since: datetime
    until: datetime
    count: int
    first: Sequence[StoredLead]


async def read_quarantined(store: LeadStore, since: datetime, until: datetime) -> Quarantined:
    """Return the leads in quarantine of a time; some may have been released or deleted since."""
    first: list[StoredLead] = []
    count = 0
    async for stored in store.all(quarantined=True, since=since, until=until):
        count += 1
        if len(first) < MOST_LISTED:
            first.append(stored)
    return Quarantined(since, until, count, first)
