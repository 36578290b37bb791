"""The interface of lead stores."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from app.leads.lead import Lead
from knowledge.errors import MajlisError

DEDUPE_WINDOW = timedelta(minutes=10)
"""Equal content received within this time of the first is the same lead, e.g. a double click."""
IDEMPOTENCY_TTL = timedelta(hours=24)
"""How long an Idempotency-Key is stored."""


class KeyInFlight(MajlisError):
    """A request with the same Idempotency-Key is in progress."""

    status = 409

    def __init__(self) -> None:
        super().__init__(
            "A request with this Idempotency-Key is in progress.",
            "Wait a second, then send the request again.",
        )


class KeyReused(MajlisError):
    """The Idempotency-Key was sent before with a different body."""

    status = 422

    def __init__(self) -> None:
        super().__init__(
            "This Idempotency-Key was already used with a different body.",
            "Use a new key for each body.",
        )


@dataclass(frozen=True, slots=True)
class Submission:
    """A lead as received, before it is stored.

    `key` is a digest of client and Idempotency-Key, or None without that header. `id` becomes the
    id of the lead unless the lead is a duplicate.
    """

    id: str
    lead: Lead
    received_at: datetime
    quarantined: bool = False
    key: str | None = None

    @property
    def body_digest(self) -> str:
        """SHA-256 of the body, to detect a different body sent with the same key."""
        return hashlib.sha256(f"{self.lead.digest} {self.quarantined}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class StoredLead:
    """A stored lead with its metadata."""

    id: str
    received_at: datetime
    quarantined: bool
    phone_e164: str | None
    lead: Lead


class LeadStore(Protocol):
    """Stores leads. Every method may raise StoreUnavailable; nothing has changed in that case."""

    async def add(self, submission: Submission) -> str:
        """Store a lead durably and return its id; for a duplicate, the id of the earlier lead.

        Raises KeyInFlight and KeyReused.
        """
        ...

    def all(
        self,
        quarantined: bool | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> AsyncIterator[StoredLead]:
        """Yield every lead, oldest first.

        `quarantined` selects only leads in quarantine, or only the others. `since` (inclusive) and
        `until` (exclusive) limit the time of receipt.
        """
        ...

    async def get(self, lead_id: str) -> StoredLead | None:
        """Return the lead with this id, or None."""
        ...

    async def count(self, quarantined: bool | None = None, before: datetime | None = None) -> int:
        """Return the number of matching leads."""
        ...

    async def oldest(self) -> datetime | None:
        """Return when the oldest lead was received, or None if there are no leads."""
        ...

    async def quarantine(self, lead_ids: Collection[str]) -> frozenset[str]:
        """Put leads in quarantine; return the ids that changed."""
        ...

    async def release(self, lead_ids: Collection[str]) -> frozenset[str]:
        """Take leads out of quarantine; return the ids that changed."""
        ...

    async def delete(self, lead_ids: Collection[str]) -> frozenset[str]:
        """Delete leads; return the ids that existed."""
        ...

    async def purge(self, before: datetime, at_most: int) -> int:
        """Delete at most `at_most` leads received before an instant; return how many."""
        ...

    async def begin_catch_up(self, now: datetime, interval: timedelta) -> bool:
        """Return whether the caller may catch up now; true once per interval for all processes."""
        ...

    async def erase(self, email: str) -> int:
        """Delete all leads of an e-mail address; return how many."""
        ...
