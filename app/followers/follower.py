"""A follower: whom to tell of changes, how many at a time, and in which form."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta

from app.changes.change import ChangePage
from app.deliveries.delivery import DeliveryKind, Message

BodyOf = Callable[[ChangePage], Awaitable[bytes]]
"""Returns the body that tells of some changes."""


@dataclass(frozen=True, slots=True)
class Follower:
    """One that is told of changes; `id` is the name of its position, and of its deliveries.

    Changes are collected for the time `collects`, so that many edits become one delivery of up
    to `at_most` changes. `name` is what operators see.
    """

    id: str
    name: str
    kind: DeliveryKind
    at_most: int
    body_of: BodyOf
    collects: timedelta = timedelta()

    async def message(self, page: ChangePage) -> Message:
        """Return the message that tells of some changes; a follower gets them one by one."""
        return Message(
            kind=self.kind,
            subject_id=self.id,
            subject=self.name,
            body=await self.body_of(page),
            ordered=True,
        )
