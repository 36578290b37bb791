"""Where leads are kept: what any store promises."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from app.leads.lead import Lead
from knowledge.errors import MajlisError

DEDUPE_WINDOW = timedelta(minutes=10)
"""The same content again, no longer after the first, is the same lead: a double click."""
IDEMPOTENCY_TTL = timedelta(hours=24)
"""How long an Idempotency-Key is remembered."""


class KeyInFlight(MajlisError):
    """A request with the same key is being worked on."""

    def __init__(self) -> None:
        super().__init__(
            "A request with this Idempotency-Key is being worked on.",
            "Wait a second and send it again.",
        )


class KeyReused(MajlisError):
    """The key was sent before, with another body."""

    def __init__(self) -> None:
        super().__init__(
            "This Idempotency-Key was sent with another body.",
            "Send a new key with a new body.",
        )


@dataclass(frozen=True, slots=True)
class Submission:
    """A lead as it arrived; `key` stands for the client and its Idempotency-Key, if it sent one.

    `id` is what it will be known by, if it is not one that is there already.
    """

    id: str
    lead: Lead
    received_at: datetime
    quarantined: bool = False
    key: str | None = None

    @property
    def body_digest(self) -> str:
        """What tells its body from another that is sent with the same key."""
        return hashlib.sha256(f"{self.lead.digest} {self.quarantined}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class StoredLead:
    """A lead as it is kept."""

    id: str
    received_at: datetime
    quarantined: bool
    phone_e164: str | None
    lead: Lead


class LeadStore(Protocol):
    """Keeps leads. Every method raises StoreUnavailable, and has then changed nothing."""

    async def add(self, submission: Submission) -> str:
        """Keep a lead and give its id, that of the earlier one where it is there already.

        On return it is on the disk. Raises KeyInFlight and KeyReused.
        """
        ...

    def all(
        self,
        quarantined: bool | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> AsyncIterator[StoredLead]:
        """Every lead, oldest first; only those in quarantine, or only those that are not.

        `since` and `until` bound when they were received; `until` itself is outside.
        """
        ...

    async def get(self, lead_id: str) -> StoredLead | None:
        """The lead with this id."""
        ...

    async def count(self, quarantined: bool | None = None, before: datetime | None = None) -> int:
        """How many leads there are of those."""
        ...

    async def oldest(self) -> datetime | None:
        """When the oldest lead was received, None where there is no lead."""
        ...

    async def quarantine(self, lead_ids: Collection[str]) -> frozenset[str]:
        """Put leads in quarantine; the ids of those that were not in it."""
        ...

    async def release(self, lead_ids: Collection[str]) -> frozenset[str]:
        """Take leads out of quarantine; the ids of those that were in it."""
        ...

    async def delete(self, lead_ids: Collection[str]) -> frozenset[str]:
        """Delete leads; the ids of those that were there."""
        ...

    async def purge(self, before: datetime, at_most: int) -> int:
        """Delete leads received before an instant, some at a time; how many it were."""
        ...

    async def begin_catch_up(self, now: datetime, interval: timedelta) -> bool:
        """Whether retention may catch up now: once in an interval, whoever asks."""
        ...

    async def erase(self, email: str) -> int:
        """Delete all leads of an address; how many it were."""
        ...
