"""A follower: whom to tell of changes, how many at a time, and in which form."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta

from app.features.changes.change import ChangePage
from app.platform.deliveries.delivery import DeliveryKind, Message


@dataclass(frozen=True, slots=True)
class Notification:
    """The body that tells of changes, and the number of the last of them."""

    body: bytes
    last: int


@dataclass(frozen=True, slots=True)
class Follower:
    """One that is told of changes; `id` is the name of its position, and of its deliveries.

    Changes are collected for the time `collects`, so that many edits become one delivery of up
    to `at_most` changes. `notification` tells of the given changes, or of the first of them.
    `name` is what operators see.
    """

    id: str
    name: str
    kind: DeliveryKind
    at_most: int
    notification: Callable[[ChangePage], Awaitable[Notification]]
    collects: timedelta = timedelta()

    def message(self, body: bytes) -> Message:
        """Return the message with a body; a follower gets its messages one by one."""
        return Message(
            kind=self.kind, subject_id=self.id, subject=self.name, body=body, ordered=True
        )
